import { describe, expect, it } from 'vitest'
import { workbookOf } from '../../test/support/workbook.ts'
import { hasTitles, kindOfColumn, kindsIn } from './columns.ts'
import { csvRow } from './csv.ts'
import { readList, readTable } from './list.ts'
import { writeXlsx } from './xlsx.ts'

describe('reading a list', () => {
  it('finds the column and the kind, leaves out the titles, and tells duplicates, blanks and what is wrong', async () => {
    const table = await readTable(
      'Supplier;Contact;Town\r\nAcme;"accounts@acme.eu";Leeds\r\nBeta;ACCOUNTS@acme.eu;York\r\nGamma;not an address\r\nDelta;\r\nEpsilon;Eps <eps@beta.eu>;Bath\r\n',
    )
    expect(table).toMatchObject({
      columns: ['Supplier', 'Contact', 'Town'],
      guess: { column: 1, kind: 'email', sure: true },
    })
    const list = await readList(table, { column: 1, kind: 'email' })
    expect(list).toMatchObject({ duplicates: 1, unread: 1, blank: 1 })
    expect(list.distinct).toMatchObject([
      { indicator: { value: 'accounts@acme.eu' }, line: 2, times: 2 },
      { indicator: { value: 'eps@beta.eu', readFrom: 'Eps <eps@beta.eu>' }, line: 6, times: 1 },
    ])
    expect(list.rows).toMatchObject([
      { row: { line: 2, cells: ['Acme', 'accounts@acme.eu', 'Leeds'] }, place: 0, firstLine: undefined },
      { row: { line: 3 }, place: 0, firstLine: 2 },
      {
        row: { line: 4, cells: ['Gamma', 'not an address'] },
        place: undefined,
        problem: expect.stringContaining('no email'),
      },
      { row: { line: 5 }, problem: 'The cell is empty.' },
      { row: { line: 6, cells: ['Epsilon', 'Eps <eps@beta.eu>', 'Bath'] }, place: 1, problem: undefined },
    ])
  })

  it('a semicolon CSV of 2,000 rows in Windows-1252, with links and names in it, gives 2,000 read rows', async () => {
    const forms = [
      (name: string) => `Müller & Söhne <rechnung@${name}.eu>`,
      (name: string) => `mailto:buchhaltung@${name}.eu`,
      (name: string) => `"Größe, ""${name}"" <info@${name}.eu>"`,
      (name: string) => `zahlung@${name}.eu`,
    ]
    const rows = Array.from({ length: 2000 }, (_, index) => {
      const form = forms[index % forms.length]!
      return `${index};Straße ${index};https://firma${index}.eu:8443/überweisung?x=${index};${form(`firma${index}`)};1.234,${index}`
    })
    const text = ['Nr;Anschrift;Webseite;E-Mail;Betrag €', ...rows, ''].join('\r\n')
    const bytes = Buffer.from(text.replaceAll('€', '\x80'), 'latin1')
    const table = await readTable(bytes)
    expect(table.columns).toEqual(['Nr', 'Anschrift', 'Webseite', 'E-Mail', 'Betrag €'])
    expect(table.guess).toEqual({ column: 3, kind: 'email', sure: true })
    const emails = await readList(table, { column: 3, kind: 'email' })
    expect(emails.rows.filter(({ problem }) => problem !== undefined)).toEqual([])
    expect(emails.distinct).toHaveLength(2000)
    expect(emails.rows[2]?.row).toEqual({
      line: 4,
      cells: ['2', 'Straße 2', 'https://firma2.eu:8443/überweisung?x=2', 'Größe, "firma2" <info@firma2.eu>', '1.234,2'],
    })
    const links = await readList(table, { column: 2, kind: 'domain' })
    expect(links.distinct.map(({ indicator }) => indicator.value)).toEqual(rows.map((_, index) => `firma${index}.eu`))
  })

  it('looks again at what another column holds', async () => {
    const { rows } = await readTable('mail,site,address\na@b.eu,b.eu,185.0.2.1\nc@d.eu,d.eu,2a00:1450::1\n')
    expect([0, 1, 2].map((column) => kindsIn(rows, column)[0])).toEqual([
      { kind: 'email', cells: 2 },
      { kind: 'domain', cells: 2 },
      { kind: 'ip', cells: 2 },
    ])
  })

  it('without a kind takes each row for what it holds', async () => {
    const list = await readList(await readTable('b.eu\nhttps://b.eu/x\na@b.eu\n185.0.2.1\n'), {
      column: 0,
    })
    expect(list.distinct.map(({ indicator }) => indicator.kind)).toEqual(['domain', 'email', 'ip'])
    expect(list.duplicates).toBe(1)
  })

  it('a title decides between columns that hold as much; without one the choice is not sure', async () => {
    const rows = 'x@a.example,y@b.example\nx@c.example,y@d.example\n'
    expect((await readTable(`from,email\n${rows}`)).guess).toEqual({ column: 1, kind: 'email', sure: true })
    expect((await readTable(`from,to\n${rows}`)).guess).toEqual({ column: 0, kind: 'email', sure: false })
    expect((await readTable('name,email\nJane,none\n')).guess).toEqual({ column: 1, kind: 'email', sure: true })
    expect((await readTable('name,town\nJane,Leeds\n')).guess).toBeUndefined()
    expect(hasTitles((await readTable('Jane\nJohn\n')).rows, 0)).toBe(false)
  })

  it('takes a bare paste without titles, and a broken first record for a record', async () => {
    const table = await readTable('185.220.101.1\n2001:db8::1\n')
    expect(table).toMatchObject({ columns: ['Column 1'], rows: [{ line: 1 }, { line: 2 }], guess: { kind: 'ip' } })
    expect((await readTable('jane@\nb@c.example\n')).rows).toHaveLength(2)
    expect((await readTable('Rechnungs-E-Mail\nb@c.example\n')).columns).toEqual(['Rechnungs-E-Mail'])
  })

  it.each([
    ['a dotted title above sites', 'Account.Website\nacme.example\nbeta.example\n', true],
    ['a dotted title above addresses', 'Kontakt.E-Mail\na@acme.example\nb@beta.example\n', true],
    ['dotted titles in lower case', 'account.name,account.website\nAcme,acme.example\nBeta,beta.example\n', true],
    ['a dotted title beside another', 'Name,Firma.Domain\nAcme,acme.example\nBeta,beta.example\n', true],
    ['a dotted title above another kind', 'Server.Address,Cost\n192.0.2.1,3\n192.0.2.2,4\n', true],
    ['a site whose ending is a title', 'acme.website\nbeta.example\ngamma.example\n', false],
    ['a site in capitals', 'Acme.Example\nbeta.example\ngamma.example\n', false],
    ['sites in capitals', 'Acme.Website\nBeta.Example\nGamma.Example\n', false],
    ['a site beside a gap', 'acme.example,n/a\nbeta.example,12\ngamma.example,13\n', false],
    ['a site above addresses', 'acme.example\na@beta.example\nb@gamma.example\n', false],
    ['sites of one name', 'acme.example,acme.test\nbeta.example,beta.test\n', false],
  ])('%s: the first row is compared with those below', async (_name, text, titled) => {
    const { rows, notes } = await readTable(text)
    expect(rows.length).toBe(text.split('\n').length - (titled ? 2 : 1))
    const doubtful = titled && !text.startsWith('Kontakt.E-Mail')
    expect(notes).toEqual(doubtful ? [expect.stringContaining('treated as titles')] : [])
  })

  it('checks a column for what its title says where the cells can be read so, else for what they are', async () => {
    const guessOf = async (text: string) => (await readTable(text)).guess?.kind
    expect(await guessOf('domain\na@b.example\nc@d.example\n')).toBe('domain')
    expect(await guessOf('Webseite\nhttps://b.example/x\n')).toBe('domain')
    expect(await guessOf('ip\nb.example\nd.example\n')).toBe('domain')
    expect(kindOfColumn((await readTable('a@b.example\nb.example\n')).rows, 0)).toEqual({ kind: undefined })
    expect(await guessOf('type,indicator\nip,185.0.2.1\nip,185.0.2.2\n')).toBeUndefined()
  })

  it('takes the sheet that holds the indicators, says so, and takes another when it is named', async () => {
    const book = workbookOf({
      Cover: [['Suppliers 2026'], ['see www.example.com']],
      Contacts: [
        ['Name', 'E-Mail'],
        ['Jo', 'jo@a.example'],
        ['Al', 'al@b.example'],
      ],
      Servers: [['192.0.2.1']],
    })
    const table = await readTable(book)
    expect(table).toMatchObject({
      guess: { kind: 'email' },
      sheet: 'Contacts',
      sheets: ['Cover', 'Contacts', 'Servers'],
    })
    expect(table.notes).toEqual(['The workbook has 3 sheets: “Contacts” was read, not “Cover”, “Servers”.'])
    for (const sheet of ['servers', '3']) {
      expect(await readTable(book, { sheet })).toMatchObject({ guess: { kind: 'ip' }, sheet: 'Servers', notes: [] })
    }
    await expect(readTable(book, { sheet: 'x' })).rejects.toThrow(
      'There is no sheet "x". Its sheets: “Cover”, “Contacts”',
    )
  })

  it('reads a workbook as it reads CSV, and says which sheet', async () => {
    const rows = [
      ['Supplier', 'Site', 'Since'],
      ['Acme', 'hxxps://acme[.]example/x', 2020],
      ['Beta', 'beta.example', 2021],
    ]
    const fromBook = await readTable(writeXlsx(rows))
    expect(fromBook).toEqual(await readTable(rows.map((cells) => csvRow(cells)).join('')))
    expect(fromBook).toMatchObject({ guess: { column: 1, kind: 'domain', sure: true }, notes: [] })
  })

  it.each<[string, string | Uint8Array, RegExp]>([
    ['nothing', '\n \n', /This list is empty/],
    ['too many rows', 'a.example\n'.repeat(500_002), /more than 500,000 rows/],
    ['a quotation mark that never closes', '"a,b\nc', /line 1: a quotation mark/],
    ['an old workbook', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1), /old format \(\.xls\)/],
    ['a broken PDF', Buffer.from('%PDF-1.7'), /This PDF is damaged or has a password/],
    ['no text', Uint8Array.of(0, 0, 1, 0, 0, 0, 2), /not a text file/],
    ['a broken workbook', Uint8Array.of(0x50, 0x4b, 3, 4, 1, 2), /damaged/],
  ])('refuses %s with a sentence', async (_name, source, words) => {
    await expect(readTable(source)).rejects.toThrow(words)
  })

  it('takes time that grows no faster than the cells', async () => {
    // It would take longer than a test may if every way to part the capitals were tried.
    const { rows } = await readTable(
      `${'Aa'.repeat(30)}.Example\n${`${'Aa'.repeat(2000)}1.example\n`.repeat(50)}a.example\n`,
    )
    expect(rows).toHaveLength(52)
  })

  it('stops when it is told to', async () => {
    const stop = new AbortController()
    stop.abort()
    await expect(readList(await readTable('a.example'), { column: 0 }, stop.signal)).rejects.toThrow()
  })
})
