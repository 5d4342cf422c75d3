import fc from 'fast-check'
import { strToU8, zipSync, zlibSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { FULL } from '../../test/support/full.ts'
import { runs } from '../../test/support/runs.ts'
import { type ListTable, readList, readTable } from './list.ts'
import { findInLogLine } from './log.ts'
import { ListProblem } from './problem.ts'
import { createRowReader } from './rows.ts'
import { writeXlsx } from './xlsx.ts'

/** Files as people bring them, with the numbers that their owner would count. */

const BAD = '185.220.101.1'

interface Expected {
  /** Undefined for values of several kinds. */
  readonly kind: string | undefined
  readonly toCheck: number
  readonly unread?: number
  readonly nothing?: number
  readonly first?: readonly string[]
  readonly note?: string
}

const FILES: Readonly<Record<string, readonly [text: string, expected: Expected]>> = {
  'ufw.log': [
    `Nov 17 10:00:01 gw kernel: [12.3] [UFW BLOCK] IN=eth0 OUT= MAC=00:16:3e:1a:2b:3c:00:1a:2b:3c:4d:5e:08:00 SRC=${BAD} DST=10.0.0.5 LEN=40 PROTO=TCP SPT=5022 DPT=22
Nov 17 10:00:02 gw kernel: [12.4] [UFW BLOCK] IN=eth0 OUT= SRC=91.92.240.7 DST=10.0.0.5 LEN=40 PROTO=TCP SPT=1 DPT=23
Nov 17 10:00:03 gw kernel: [12.5] [UFW BLOCK] IN=eth0 OUT= SRC=${BAD} DST=10.0.0.6 LEN=40 PROTO=TCP SPT=5023 DPT=22
Nov 17 10:00:04 gw kernel: [12.6] audit: device eth0 entered promiscuous mode
`,
    {
      kind: 'ip',
      toCheck: 2,
      first: [BAD, 'source', '2', '1'],
      note: 'Set aside, because private or reserved: 10.0.0.5, 10.0.0.6.',
    },
  ],
  'asa.txt': [
    `Nov 17 2026 10:00:01 fw : %ASA-4-106023: Deny tcp src outside:${BAD}/5022 dst inside:10.0.0.5/22 by access-group "out" [0x0, 0x0]
Nov 17 2026 10:00:02 fw : %ASA-6-302013: Built inbound TCP connection 1 for outside:91.92.240.7/1234 (91.92.240.7/1234) to inside:10.1.1.1/443 (81.19.4.3/443)
`,
    { kind: 'ip', toCheck: 3, first: [BAD, 'source', '1', '1'] },
  ],
  'panos.csv': [
    `1,2026/11/17 10:00:01,001801,TRAFFIC,end,2049,2026/11/17 10:00:01,10.0.0.5,${BAD},81.19.4.3,${BAD},rule1,,,ssl,vsys1
1,2026/11/17 10:00:02,001801,THREAT,url,2049,2026/11/17 10:00:02,10.0.0.6,91.92.240.7,81.19.4.3,91.92.240.7,rule1,,,web,vsys1
`,
    { kind: 'ip', toCheck: 3 },
  ],
  'fortinet.log': [
    `date=2026-11-17 time=10:00:01 devname="FGT" srcip=10.0.0.5 srcport=5555 dstip=${BAD} dstport=443 hostname="bad.example-login.com" action=deny
date=2026-11-17 time=10:00:02 devname="FGT" srcip=91.92.240.7 srcport=5555 dstip=10.0.0.9 dstport=443 action=deny
`,
    { kind: undefined, toCheck: 3, first: ['91.92.240.7', 'source', '1', '2'] },
  ],
  'access.log': [
    `${BAD} - - [17/Nov/2026:10:00:01 +0000] "GET /wp-login.php HTTP/1.1" 404 512 "-" "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/120.0.0.1"
2a00:1450:4001:830::200e - bob [17/Nov/2026:10:00:02 +0000] "GET / HTTP/2.0" 200 5 "-" "curl/8.1.2"
${BAD} - - [17/Nov/2026:10:00:03 +0000] "POST /xmlrpc.php HTTP/1.1" 404 5 "-" "-"
`,
    { kind: 'ip', toCheck: 2, first: [BAD, 'source', '2', '1'] },
  ],
  'auth.log': [
    `Nov 17 10:00:01 web sshd[123]: Failed password for root from ${BAD} port 5022 ssh2
Nov 17 10:00:02 web sshd[124]: Accepted publickey for bob from 192.168.1.4 port 5023 ssh2
Nov 17 10:00:03 web CRON[125]: pam_unix(cron:session): session opened for user root
Nov 17 10:00:04 web sshd[126]: Invalid user admin from 91.92.240.7 port 40112
`,
    { kind: 'ip', toCheck: 2, note: 'Lines without an address: 1.' },
  ],
  'cef.log': [
    `<134>Nov 17 10:00:01 host CEF:0|Vendor|IDS|1.0|100|Blocked|5|src=${BAD} dst=10.0.0.5 spt=1 request=http://bad.example-login.com/x
<134>Nov 17 10:00:02 host CEF:0|Vendor|IDS|1.0|100|Blocked|5|src=91.92.240.7 dst=10.0.0.5 spt=1
`,
    { kind: undefined, toCheck: 3 },
  ],
  'eve.jsonl': [
    `{"timestamp":"2026-11-17T10:00:01","event_type":"alert","src_ip":"${BAD}","dest_ip":"10.0.0.5"}
{"timestamp":"2026-11-17T10:00:02","event_type":"alert","src_ip":"10.0.0.5","dest_ip":"91.92.240.7"}
{"timestamp":"2026-11-17T10:00:03","event_type":"alert","src_ip":"${BAD}","dest_ip":"10.0.0.6"}
`,
    { kind: 'ip', toCheck: 2, first: [BAD, 'source', '2', '1'] },
  ],
  'conn.log': [
    `#separator \\x09
#fields\tts\tuid\tid.orig_h\tid.orig_p\tid.resp_h\tid.resp_p\tproto
#types\ttime\tstring\taddr\tport\taddr\tport\tenum
1763373601.1\tCabc\t${BAD}\t5022\t10.0.0.5\t22\ttcp
1763373602.1\tCabd\t10.0.0.5\t5022\t91.92.240.7\t443\ttcp
`,
    { kind: 'ip', toCheck: 2, first: [BAD, 'source', '1', '4'] },
  ],
  'pfirewall.log': [
    `#Version: 1.5
#Fields: date time action protocol src-ip dst-ip src-port dst-port size
2026-11-17 10:00:01 DROP TCP ${BAD} 10.0.0.5 5022 22 40
2026-11-17 10:00:02 DROP TCP 91.92.240.7 10.0.0.5 5022 23 40
`,
    { kind: 'ip', toCheck: 2, first: [BAD, 'source', '1', '3'] },
  ],
  'security-events.csv': [
    `Level,Date and Time,Source,Event ID,Task Category
Information,11/17/2026 10:00:01,Microsoft-Windows-Security-Auditing,4625,Logon,"An account failed to log on.

Network Information:
	Workstation Name:	WS1
	Source Network Address:	${BAD}
	Source Port:		5022"
Information,11/17/2026 10:00:02,Microsoft-Windows-Security-Auditing,4625,Logon,"An account failed to log on.

Network Information:
	Workstation Name:	WS2
	Source Network Address:	91.92.240.7
	Source Port:		5023"
`,
    { kind: 'ip', toCheck: 2 },
  ],
  'events.xml': [
    `<Events><Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><EventData><Data Name='IpAddress'>${BAD}</Data><Data Name='IpPort'>5022</Data></EventData></Event></Events>`,
    { kind: 'ip', toCheck: 1, first: [BAD, 'source', '1', '1'] },
  ],
  'proxy-and-names.log': [
    `1763373601.123 456 10.0.0.7 TCP_MISS/200 5120 GET http://acme-tools.co.uk/x - HIER_DIRECT/${BAD} text/html
1763373602.123 456 10.0.0.7 TCP_TUNNEL/200 5120 CONNECT bekaert.com:443 - HIER_NONE/- -
Nov 17 10:00:02 gw dnsmasq[1]: query[A] paypa1-login.com from 10.0.0.7
`,
    { kind: undefined, toCheck: 4 },
  ],
  'squid.log': [
    `1763373601.123 456 ${BAD} TCP_MISS/200 5120 GET http://91.92.240.7/x - HIER_DIRECT/81.19.4.3 text/html
1763373602.123 456 ${BAD} NONE_NONE/400 512 GET / - FIRSTUP_PARENT/81.19.4.3 text/html
`,
    { kind: 'ip', toCheck: 3, first: [BAD, 'source', '2', '1'] },
  ],
  'panos-with-titles.csv': [
    `Receive Time,Type,Source address,Destination address,Rule
2026/11/17 10:00:01,TRAFFIC,10.0.0.5,${BAD},rule1
2026/11/17 10:00:02,TRAFFIC,91.92.240.7,10.0.0.6,rule2
2026/11/17 10:00:03,TRAFFIC,10.0.0.5,${BAD},rule1
`,
    { kind: 'ip', toCheck: 2 },
  ],
  'indicators.csv': [
    `type,indicator,comment
ip,${BAD},tor
domain,paypa1-login.com,phishing
email,ceo@paypa1-login.com,fraud
ip,10.0.0.1,inside
domain,printer.local,inside
,-,
`,
    { kind: undefined, toCheck: 3, unread: 2, nothing: 2 },
  ],
  'hundred-columns.csv': [
    [0, 1, 2]
      .map((row) =>
        Array.from({ length: 100 }, (_, at) => (at === 57 && row > 0 ? `s${row}-tools.eu` : `f${row} ${at}`)),
      )
      .join('\n'),
    { kind: 'domain', toCheck: 2 },
  ],
  'suppliers-with-title.csv': [
    `Supplier report;;
Printed on 17.11.2026 by J. Doe;;
Name;City;Website
Acme Ltd;London;acme-tools.co.uk
Bekaert;Kortrijk;https://www.bekaert.com/en
Total;2;
`,
    { kind: 'domain', toCheck: 2, note: 'The titles are in line 3' },
  ],
  'totals.csv': [
    `Vendor,E-mail,Amount
Acme,ap@acme-tools.co.uk,10.00
Bekaert,billing@bekaert.com,20.00
Total,2 vendors,30.00
`,
    { kind: 'email', toCheck: 2, unread: 1 },
  ],
  'several-in-a-cell.csv': [
    `Name,Domain
Acme,acme-tools.co.uk; www.acme-tools.co.uk
Bekaert,"bekaert.com, bekaert.be"
`,
    { kind: 'domain', toCheck: 3 },
  ],
  'records.json': [
    JSON.stringify({
      exported: '2026-11-17',
      vendors: [
        { name: 'Acme', contact: { email: 'ap@acme-tools.co.uk' } },
        { name: 'Bekaert', contact: { email: 'billing@bekaert.com' } },
      ],
    }),
    { kind: 'email', toCheck: 2 },
  ],
  'names.json': ['["acme-tools.co.uk", "bekaert.com", "not a name"]', { kind: 'domain', toCheck: 2, unread: 1 }],
  'vendors.jsonl': [
    '{"name":"Acme","domain":"acme-tools.co.uk"}\n{"name":"Bekaert","domain":"bekaert.com"}\n',
    { kind: 'domain', toCheck: 2 },
  ],
  'events.tsv': [
    `Time\tUser\tIP\n2026-11-17 10:00:01\tbob\t${BAD}\n2026-11-17 10:00:02\teve\t91.92.240.7\n2026-11-17 10:00:03\tbob\t${BAD}\n`,
    { kind: 'ip', toCheck: 2, first: ['2026-11-17 10:00:01', 'bob', BAD] },
  ],
  'list.txt': [`${BAD}\n91.92.240.7\n91.92.240.7\n`, { kind: 'ip', toCheck: 2 }],
  'vhost-access.log': [
    `shop.acme-tools.co.uk ${BAD} - - [17/Nov/2026:06:25:25 +0100] "POST /login HTTP/1.1" 403 548 "-" "curl/8.5.0"
shop.acme-tools.co.uk ${BAD} - - [17/Nov/2026:06:25:26 +0100] "POST /login HTTP/1.1" 403 548 "-" "curl/8.5.0"
`,
    { kind: 'ip', toCheck: 1, first: [BAD, 'source', '2', '1'] },
  ],
  'apache-error.log': [
    `[Tue Nov 17 07:01:02.1 2026] [authz_core:error] [pid 1:tid 2] [client ${BAD}:51822] AH01630: client denied, see /var/www
[Tue Nov 17 07:01:03.1 2026] [proxy:error] [pid 1:tid 3] [client 91.92.240.7:4] AH01071: error 7.4.3, referer: https://bekaert.com/kontakt
[Tue Nov 17 07:01:04.1 2026] [mpm_event:notice] [pid 1:tid 1] AH00489: Apache/2.4.58 (Ubuntu) OpenSSL/3.0.13 configured
`,
    { kind: undefined, toCheck: 3, first: [BAD, 'source', '1', '1'], note: 'Lines without an address: 1.' },
  ],
  'filterlog.log': [
    `<134>1 2026-11-17T13:14:15.1+01:00 pfSense.home.arpa filterlog 5 - - 4,,,1000000103,igb0,match,block,in,4,0x0,,238,54321,0,none,6,tcp,44,${BAD},10.0.0.5,39182,5061,0,S
<134>1 2026-11-17T13:14:17.1+01:00 pfSense.home.arpa filterlog 5 - - 81,,,1770002299,igb1,match,pass,in,4,0x0,,64,11,0,DF,17,udp,73,10.0.0.5,91.92.240.7,60001,53,53
`,
    { kind: 'ip', toCheck: 2, first: [BAD, 'source', '1', '1'] },
  ],
  'vpc-flow.txt': [
    `version account-id interface-id srcaddr dstaddr srcport dstport protocol packets bytes start end action log-status
2 123456789012 eni-0a1b2c3d4e5f60718 10.0.1.12 91.92.240.7 44120 443 6 12 4800 1763373600 1763373660 ACCEPT OK
2 123456789012 eni-0a1b2c3d4e5f60718 ${BAD} 10.0.1.12 40001 22 6 1 40 1763373600 1763373660 REJECT OK
`,
    { kind: 'ip', toCheck: 2, first: [BAD, 'source', '1', '3'] },
  ],
  'arrows.log': [
    `11/17-21:00:00.123456  [**] [1:2024897:3] ET SCAN [**] [Priority: 3] {TCP} ${BAD}:50000 -> 10.3.3.3:80
nov/17 17:00:01 firewall,info input: in:ether1 proto UDP, 91.92.240.7:33000->10.3.3.3:123, len 36
17:22:33.123456 IP 10.3.3.3.51544 > 81.19.4.3.443: Flags [S], seq 1234, length 0
`,
    { kind: 'ip', toCheck: 3, first: [BAD, 'source', '1', '1'] },
  ],
  'mail.log': [
    `Nov 17 15:00:03 mx1 postfix/qmgr[1001]: 4C1B2A0: from=<ap@acme-tools.co.uk>, size=4521, nrcpt=1 (queue active)
Nov 17 15:00:04 mx1 postfix/smtp[2002]: 4C1B2A0: to=<b@bekaert.com>, relay=mx.bekaert.com[81.19.4.3]:25, delay=1.2
Nov 17 15:00:05 mx1 dovecot: imap-login: auth failed, 3 attempts: user=<b@bekaert.com>, rip=${BAD}, lip=10.0.0.25
`,
    { kind: undefined, toCheck: 4, first: ['ap@acme-tools.co.uk', 'source', '1', '1'] },
  ],
  'panos-quoted.csv': [
    `Exported by PA-VM
"Receive Time","Type","Source address","Destination address","NAT Source IP","Rule"
"2026/11/17 10:00:01","TRAFFIC","10.0.0.5","${BAD}","81.19.4.3","rule1, old"
"2026/11/17 10:00:02","TRAFFIC","91.92.240.7","10.0.0.6","0.0.0.0","rule2"
`,
    { kind: 'ip', toCheck: 3, first: ['81.19.4.3', 'source', '1', '3'] },
  ],
  'container.jsonl': [
    `{"log":"172.18.0.1 - - [17/Nov/2026:19:00:00 +0000] \\"GET / HTTP/1.1\\" 200 12\\n","stream":"stdout"}
{"log":"${BAD} - - [17/Nov/2026:19:00:01 +0000] \\"GET /x HTTP/1.1\\" 404 12\\n","stream":"stdout"}
`,
    { kind: 'ip', toCheck: 1, first: [BAD, 'source', '1', '2'] },
  ],
  'endpoint.jsonl': [
    `{"EventID":3,"SourceIp":"10.8.0.51","DestinationIp":"91.92.240.7","DestinationHostname":"vps.acme-tools.co.uk"}
{"EventID":22,"dns":{"question":{"name":"bekaert.com"}},"QueryResults":"::ffff:${BAD};"}
`,
    { kind: undefined, toCheck: 4 },
  ],
  'names.tsv': [
    `#fields\tts\tid.orig_h\tid.resp_h\tquery\tanswers
1763337600.1\t10.0.0.5\t10.0.0.1\tbekaert.com\t91.92.240.7,81.19.4.3
1763337601.1\t10.0.0.5\t10.0.0.1\t5.0.0.10.in-addr.arpa\t-
`,
    { kind: undefined, toCheck: 3, first: ['bekaert.com', '1', '2'] },
  ],
  'connections.txt': [
    `Proto Recv-Q Send-Q Local Address           Foreign Address         State       PID/Program name
tcp        0      0 10.0.0.4:22             ${BAD}:51512      ESTABLISHED 9001/sshd: root
tcp6       0      0 :::80                   :::*                    LISTEN      802/nginx
`,
    { kind: 'ip', toCheck: 1, note: 'Read as a text of 3 lines' },
  ],
  'ticket.txt': [
    `Hello all,

we saw logins from ${BAD} and 91[.]92[.]240[.]7, see hxxps://acme-tools[.]co[.]uk/login.
The user came from bekaert.com as b@bekaert.com, by way of 10.0.0.1.
`,
    { kind: undefined, toCheck: 5, note: 'Set aside, because private or reserved: 10.0.0.1.' },
  ],
  'contacts.vcf': [
    `BEGIN:VCARD
EMAIL;TYPE=work:ap@acme-tools.co.uk
URL:https://bekaert.com
END:VCARD
`,
    { kind: undefined, toCheck: 2 },
  ],
  'table.xls': [
    '<html><table><tr><td>Acme</td><td>ap@acme-tools.co.uk</td></tr><tr><td>Bekaert</td><td>b@bekaert.com</td></tr></table>',
    { kind: 'email', toCheck: 2 },
  ],
  'one-line.txt': ['ap@acme-tools.co.uk; Bob Roe <b@bekaert.com>; c@bekaert.com\n', { kind: 'email', toCheck: 3 }],
  'sap.txt': [
    `17.11.2026              Dynamic List Display              1
----------------------------------------------------------
|Vendor    |Name 1       |E-Mail Address      |Cty|
----------------------------------------------------------
|0000100234|Acme & Sons  |ap@acme-tools.co.uk |GB |
|0000100235|Bekaert      |b@bekaert.com       |BE |
|0000100236|Bekaert Bis  |                    |BE |
----------------------------------------------------------
`,
    { kind: 'email', toCheck: 2, note: 'The titles are in line 3' },
  ],
  'several-in-each.csv': [
    'Supplier;Websites\nA;acme-tools.co.uk, www.acme-tools.co.uk\nB;bekaert.com / bekaert.be\nC;acme.eu und bis.eu\n',
    { kind: 'domain', toCheck: 5 },
  ],
  'vendors-of-two-kinds.jsonl': [
    `{"name":"Acme","domain":"acme-tools.co.uk","email":"ap@acme-tools.co.uk"}
{"name":"Bekaert","domain":"bekaert.com","email":"b@bekaert.com"}
`,
    { kind: 'domain', toCheck: 2, first: ['Acme', 'acme-tools.co.uk', 'ap@acme-tools.co.uk'] },
  ],
  'nested.json': [
    JSON.stringify([{ firm: { domain: 'acme-tools.co.uk' } }, { firm: { domain: 'bekaert.com' } }]),
    { kind: 'domain', toCheck: 2 },
  ],
  'inbox.mbox': [
    `From ap@acme-tools.co.uk Tue Nov 17 10:00:01 2026
From: Acme <ap@acme-tools.co.uk>
Subject: Invoice

Pay here: https://bekaert.com/pay

From eve@bekaert.com Tue Nov 17 10:00:02 2026
From: Eve <eve@bekaert.com>
Subject: Reminder

Please.
`,
    { kind: undefined, toCheck: 3, note: 'Read as 2 mails.' },
  ],
}

describe('files as they are', () => {
  for (const [name, [text, expected]] of Object.entries(FILES)) {
    it(`reads ${name}`, async () => {
      await expectRead(strToU8(text), expected)
    })
  }

  it('tells a log in which every address is private from an empty one', async () => {
    const log = 'Nov 17 10:00:01 gw kernel: [UFW BLOCK] SRC=10.0.0.9 DST=10.0.0.5 PROTO=TCP\n'
    await expect(readTable(strToU8(log))).rejects.toThrow(
      /nothing to check.*private or reserved: 10\.0\.0\.9, 10\.0\.0\.5\./,
    )
  })

  it('takes the addresses of a kind from a cell that holds others, too', async () => {
    const cell = `"{""ClientIP"":""${BAD}:51000"",""UserId"":""ap@acme-tools.co.uk""}"`
    const table = await readTable(`User,Details\nap@acme-tools.co.uk,${cell}\n`)
    const { distinct, unread } = await readList(table, { column: 1, kind: 'ip' })
    expect([distinct.map(({ indicator }) => indicator.value), unread]).toEqual([[BAD], 0])
  })

  it('reads a workbook with titles below its heading, and one of LibreOffice', async () => {
    const expected = { kind: 'domain', toCheck: 2, note: 'The titles are in line 3' }
    await expectRead(writeXlsx(SHEET), expected)
    await expectRead(ods(SHEET), expected)
  })

  it('reads a list with a byte order mark, and in UTF-16', async () => {
    const text = '\ufeffName;E-Mail\r\nMüller;ap@acme-tools.co.uk\r\nBekaert;billing@bekaert.com\r\n'
    await expectRead(strToU8(text), { kind: 'email', toCheck: 2, first: ['Müller', 'ap@acme-tools.co.uk'] })
    const wide = { kind: 'email', toCheck: 2, first: ['Müller', 'ap@acme-tools.co.uk'] }
    await expectRead(Buffer.from(text, 'utf16le'), wide)
  })

  it('reads the text of a PDF, and says of pictures that they have none', async () => {
    const lines = ['Supplier list', 'Acme London acme-tools.co.uk ap@acme-tools.co.uk', `Gateway ${BAD} 10.0.0.1`]
    const first = ['acme-tools.co.uk', lines[1]!, '1', '2']
    await expectRead(pdf(lines), { kind: undefined, toCheck: 3, first, note: 'Read as the text of a PDF, 1 page' })
    await expect(readTable(pdf([]))).rejects.toThrow(/pictures and no text/)
  })

  it.runIf(FULL)('stops at a PDF that unpacks without an end', async () => {
    const bomb = zlibSync(new Uint8Array(80 * 1024 * 1024))
    const head = '%PDF-1.4\n1 0 obj<</Filter/FlateDecode>>stream\n'
    await expect(readTable(Buffer.concat([Buffer.from(head), bomb]))).rejects.toThrow(/too large/)
  })

  it('tells a picture that is called .csv', async () => {
    const noise = Uint8Array.from({ length: 20_000 }, (_, at) => ((at * 7919 + at * at) % 255) + 1)
    await expect(readTable(Buffer.concat([strToU8('\x89PNG\r\n\x1a\n', true), noise]))).rejects.toThrow(
      'not a text file',
    )
  })

  it.each(['a.b-c', 'a=', 'https://a', '1.', ':a', 'a@', '{"', 'x=1,'])(
    'a line of 60,000 characters made of %s takes no longer than others',
    async (part) => {
      // It would take longer than a test may if a search began again at every character.
      const line = `acme-tools.co.uk;${part.repeat(60_000 / part.length)}\n`
      expect((await readTable(strToU8(`name;note\n${line.repeat(20)}`))).rows.length).toBeGreaterThan(0)
    },
  )

  it('ends at a line of JSON that does not end, and reads lines in parts of any size', () => {
    const lines = '{"domain":"acme-tools.co.uk"}\r\n'.repeat(3000)
    const endless = createRowReader()
    endless.write(lines)
    const part = 'x'.repeat(1024 * 1024)
    expect(() => Array.from({ length: 40 }, () => endless.write(part))).toThrow(/over 32 MB/)
    const inParts = createRowReader()
    const rows = (lines.match(/.{1,7}/gs) ?? []).flatMap((one) => inParts.write(one))
    rows.push(...inParts.end())
    expect(rows.map(({ line }) => line)).toEqual([1, ...Array.from({ length: 3000 }, (_, at) => at + 1)])
  })

  it('never runs long on a damaged variant', async () => {
    const files = [
      ...Object.values(FILES).map(([text]) => strToU8(text)),
      ...[writeXlsx(SHEET), ods(SHEET), pdf(['Acme acme-tools.co.uk', BAD])],
    ]
    const damaged = fc
      .tuple(fc.constantFrom(...files), fc.constantFrom(...files), fc.nat(), fc.nat(), fc.nat(20), fc.nat(255))
      .map(([one, other, at, from, times, byte]) => {
        const mixed = [one.slice(0, at % one.length), ...Array(times).fill(other.slice(from % other.length))]
        const bytes = Buffer.concat(mixed)
        bytes[from % Math.max(1, bytes.length)] = byte
        return bytes
      })
    await fc.assert(
      fc.asyncProperty(damaged, async (bytes) => {
        const table = await readTable(bytes).catch((error: unknown) => error)
        expect(table instanceof ListProblem || (table as ListTable).columns.length > 0).toBe(true)
      }),
      { numRuns: runs(120) },
    )
  })
})

describe('a line of a log in the check box', () => {
  it.each([
    [`SRC=${BAD} DST=10.0.0.5`, [`source ${BAD}`, 'destination 10.0.0.5']],
    [`{"src_ip":"${BAD}"}`, [`source ${BAD}`]],
    [`Failed password for root from ${BAD} port 5022`, [`source ${BAD}`]],
    ['Started org.apache.catalina.core 9.0.1.3-rc', []],
  ])('%s', (line, found) => {
    expect(findInLogLine(line).map(({ direction, indicator }) => `${direction} ${indicator.value}`)).toEqual(found)
  })
})

const SHEET = [
  ['Supplier report', '', ''],
  ['', '', ''],
  ['Name', 'City', 'Website'],
  ['Acme', 'London', 'acme-tools.co.uk'],
  ['Bekaert', 'Kortrijk', 'bekaert.com'],
]

async function expectRead(
  file: Uint8Array,
  { kind, toCheck, unread = 0, nothing = 0, first, note }: Expected,
): Promise<void> {
  const table = await readTable(file)
  expect(table.guess).toMatchObject({ kind })
  const { column, kind: guessed } = table.guess!
  const read = await readList(table, [{ column, kind: guessed }])
  const counts = { toCheck: read.distinct.length, unread: read.unread, nothing: read.nothing }
  expect(counts).toEqual({ toCheck, unread, nothing })
  if (first) expect(table.rows[0]?.cells).toEqual(first)
  if (note) expect(table.notes.join(' ')).toContain(note)
}

/** One page; the reader finds its objects without a table of their places. */
function pdf(lines: readonly string[]): Uint8Array {
  const content = `BT /F 10 Tf 12 TL 50 700 Td ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`
  return strToU8(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length ${content.length}>>stream
${content}
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF`)
}

function ods(rows: readonly (readonly string[])[]): Uint8Array {
  const cell = (text: string) =>
    text === ''
      ? '<table:table-cell/>'
      : `<table:table-cell office:value-type="string"><office:annotation><text:p>a note</text:p></office:annotation><text:p>${text}</text:p></table:table-cell>`
  const body = rows.map(
    (cells) =>
      `<table:table-row>${cells.map(cell).join('')}<table:table-cell table:number-columns-repeated="16381"/></table:table-row>`,
  )
  const content = `<office:document-content><table:table table:name="Suppliers">${body.join('')}<table:table-row table:number-rows-repeated="1048571"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table></office:document-content>`
  return zipSync({
    mimetype: strToU8('application/vnd.oasis.opendocument.spreadsheet'),
    'content.xml': strToU8(content),
  })
}
