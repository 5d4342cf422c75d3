import { describe, expect, it } from 'vitest'
import { aboutFile, readVendors, vendorRows } from './vendors.ts'
import { writeXlsx } from './xlsx.ts'

const roles = async (text: string | Uint8Array) => (await readVendors(text)).columns.map(({ role }) => role ?? '-')
const rows = async (text: string | Uint8Array) => vendorRows(await readVendors(text))
const windows1252 = (text: string) => Uint8Array.from([...text].map((character) => character.charCodeAt(0)))
const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))

describe('a vendor master', () => {
  it('its columns are guessed by their titles, in several languages', async () => {
    expect(await roles('Vendor No.,Vendor Name,Website,E-Mail 1,E-Mail 2,IBAN,City\n1,Acme,,,,,Leeds')).toEqual([
      ...['reference', 'name', 'domains', 'emails', 'emails', 'accounts', '-'],
    ])
    expect(await roles('Kreditorennummer;Name 1;Name 2;Sperre;Angelegt am\n1;Acme;;X;01.02.2019')).toEqual([
      ...['reference', 'name', '-', 'state', 'since'],
    ])
    expect(await roles('supplier,sort_code,account number,contact\nAcme,20-00-00,55779911,a@acme.example')).toEqual([
      ...['name', 'sort_code', 'account_number', 'emails'],
    ])
  })

  it('titles without blanks are read, and the cells decide about titles with two meanings', async () => {
    const xero = '*ContactName,AccountNumber,EmailAddress,BankAccountNumber\nAcme,V001,,20-00-00 55779911\n'
    expect(await roles(xero)).toEqual(['-', '-', 'emails', 'account_number'])
    const american = 'Vendor,City,State,Status,Routing Number,Account Number\nAcme,Boone,NC,Active,021000021,…6789\n'
    expect(await roles(american)).toEqual(['name', '-', '-', 'state', 'routing_number', 'account_number'])
    expect(await roles('Vendor,State\nAcme,OK\nBeta,locked\n')).toEqual(['name', 'state'])
  })

  it('records with two kinds of addresses are a table, and so are texts beside an account', async () => {
    const records = [{ name: 'Acme', domain: 'acme.example', email: 'a@acme.example' }]
    expect(await roles(JSON.stringify(records))).toEqual(['name', 'domains', 'emails'])
    const text = 'name;iban;note\nAcme;DE89370400440532013000;they wrote to us from a@acme.example in May\n'
    expect(await roles(text)).toEqual(['name', 'accounts', 'note'])
  })

  it('a column of numbers is the reference, also where its title could be that of a name', async () => {
    expect(await roles('Kreditor;Lieferant\n70011;Acme\n70012;Beta')).toEqual(['reference', 'name'])
    expect(await roles('Vendor;Creditor\nAcme;K-100\nBeta;')).toEqual(['name', 'reference'])
  })

  it('lines above the titles are left out, and semicolons and Windows-1252 are read', async () => {
    const text = 'Kreditorenliste 2025\r\n\r\nNr;Lieferant;E-Mail\r\n70001;Müller & Söhne;info@mueller.example\r\n'
    const table = await readVendors(windows1252(text))
    expect(table.notes.join(' ')).toContain('line 3')
    expect(vendorRows(table)).toEqual([
      { row: 4, name: 'Müller & Söhne', reference: '70001', emails: ['info@mueller.example'] },
    ])
    expect(await rows(utf16('Nr\tLieferant\n1\tČeská\n'))).toEqual([{ row: 2, reference: '1', name: 'Česká' }])
  })

  it('cells are read as people write them; what is no indicator is left to the service to name', async () => {
    const [one, two, three] = await rows(
      [
        'name,website,email,ip,iban,since,status',
        '"Acme","https://www.acme.com/shop, acme.de","Jane <jane@acme.com>; b@acme.com","192.0.2.1 192.0.2.0/24","DE89 3704 0044 0532 0130 00; …4417",01.02.2019,gesperrt',
        'Junk,none yet,unknown,,,soon,maybe',
        'Empty,n/a,none,-,-,N/A,',
      ].join('\n'),
    )
    expect(one).toEqual({
      row: 2,
      name: 'Acme',
      domains: ['acme.com', 'acme.de'],
      emails: ['jane@acme.com', 'b@acme.com'],
      networks: ['192.0.2.1', '192.0.2.0/24'],
      accounts: ['DE89 3704 0044 0532 0130 00', '…4417'],
      since: '2019-02-01',
      state: 'blocked',
    })
    expect(two).toEqual({
      row: 3,
      name: 'Junk',
      domains: ['none yet'],
      emails: ['unknown'],
      networks: [],
      accounts: [],
      since: 'soon',
      state: 'maybe',
    })
    expect(three).toEqual({ row: 4, name: 'Empty', emails: [], networks: [], accounts: [], since: '' })
  })

  it('is read from a workbook too', async () => {
    const workbook = writeXlsx([
      ['Stand', 46_000],
      ['Kreditor', 'E-Mail', 'Kunde seit'],
      ['Müller', 'info@mueller.example', '2019-04-01'],
    ])
    expect(await rows(workbook)).toEqual([
      { row: 3, name: 'Müller', emails: ['info@mueller.example'], since: '2019-04-01' },
    ])
  })

  it('a day with full stops has the day first, and the file says so; of 04/03/2019 only the year is certain', async () => {
    const table = await readVendors('Name;Seit\nA;1.4.2019\nB;31.13.2019\nC;04/03/2019\nD;2018\n')
    expect(vendorRows(table).map(({ since }) => since)).toEqual(['2019-04-01', '2019', '2019', '2018'])
    expect(aboutFile(table).format).toEqual({ separator: ';', days: 'dd.mm.yyyy' })
    expect(aboutFile(await readVendors('Name\tSeit\nA\t2019-04-01\n')).format).toEqual({ separator: '\t' })
    expect(aboutFile(await readVendors(writeXlsx([['Kreditor'], ['A']]))).format).toEqual({})
  })

  it('two columns become one account; zeros that a spreadsheet lost come back', async () => {
    const text = 'name,routing number,account number\nAcme,21000021,123456789\nBeta,,\nGamma,,…6789\n'
    expect((await rows(text)).map(({ accounts }) => accounts)).toEqual([['021000021 123456789'], [], ['…6789']])
  })

  it('a formula is text, empty rows are left out, and a list without names is refused', async () => {
    expect(await rows('name,note\n=1+1,\n,\n')).toEqual([{ row: 2, name: '=1+1', note: '' }])
    await expect(rows('city,country\nLeeds,UK\n')).rejects.toThrow('No column has the names')
    await expect(readVendors('')).rejects.toThrow('empty')
  })
})
