import { describe, expect, it } from 'vitest'
import type { AccountDigest } from '../accounts/digest.ts'
import { type GivenContent, matchKeyOf, readContent, termsOf } from './content.ts'

const digestOf: AccountDigest = ({ identity }) => `digest of ${identity.length} ${identity.slice(-4)}`
const read = (given: GivenContent) => readContent({ name: 'Acme Ltd', ...given }, undefined, digestOf)
const codes = (given: GivenContent) => read(given).errors.map(({ pointer, code }) => `${pointer} ${code}`)

describe('the content of a counterparty', () => {
  it('is normalised, and everything is kept once', () => {
    const { content, errors } = read({
      name: '  Acme Ltd ',
      domains: ['ACME.com.', 'acme.com', 'bücher.example'],
      emails: ['Billing@ACME.com'],
      networks: ['192.0.2.7/24', '2001:DB8::1'],
      accounts: ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
      reference: ' 4711 ',
      since: '2019',
    })
    expect(errors).toEqual([])
    expect(content).toMatchObject({
      name: 'Acme Ltd',
      reference: '4711',
      state: 'active',
      domains: ['acme.com', 'xn--bcher-kva.example'],
      emails: ['billing@acme.com'],
      networks: ['192.0.2.0/24', '2001:db8::1'],
      since: '2019',
    })
    expect(content.accounts).toMatchObject([{ kind: 'iban', country: 'DE', last4: '3000' }])
    expect(JSON.stringify(content)).not.toContain('37040044')
  })

  it('the domains of a new one come from its addresses, except public mail providers', () => {
    expect(read({ emails: ['a@acme.com', 'b@acme.com', 'acme@gmail.com'] }).content.domains).toEqual(['acme.com'])
    expect(read({ emails: ['a@acme.com'], domains: [] }).content.domains).toEqual([])
  })

  it('every error is named with its place and reason, and no address or account is repeated', () => {
    const { errors } = read({
      name: ' ',
      domains: ['gmail.com', 'co.uk', 'https://acme.com/'],
      emails: ['jane@', 'acme@gmail.com'],
      networks: ['0.0.0.0/0', 'office'],
      accounts: ['DE88 3704 0044 0532 0130 00', '…9999'],
      since: '2019-02-30',
      state: 'closed',
      note: 'x'.repeat(501),
    })
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/emails/0 invalid_email',
      '/name invalid',
      '/since invalid',
      '/note invalid',
      '/state invalid',
      '/domains/0 public_mail_domain',
      '/domains/1 invalid_domain',
      '/domains/2 invalid_domain',
      '/networks/0 network_too_large',
      '/networks/1 invalid_network',
      '/accounts/0 invalid_account',
      '/accounts/1 unknown_account',
    ])
    expect(errors.find(({ code }) => code === 'public_mail_domain')?.detail).toContain('Give the address itself')
    // A row has many values: each sentence names its own.
    expect(errors.map(({ detail }) => detail).join(' ')).toMatch(
      /The value of since is neither a year .* The network is neither an IP address/,
    )
    expect(JSON.stringify(errors)).not.toMatch(/jane|3704/)
    expect(codes({ domains: Array.from({ length: 31 }, (_, i) => `a${i}.example`) })).toEqual(['/domains too_many'])
  })

  it('a bank account in another field is refused: there it would be stored as it is', () => {
    const iban = 'DE89 3704 0044 0532 0130 00'
    expect(codes({ name: iban, note: `pay to ${iban} please`, reference: iban.replaceAll(' ', '') })).toEqual([
      ...['/name invalid', '/reference invalid', '/note invalid'],
    ])
    expect(codes({ note: 'DE12 is the second hall, order 2025-0001-77' })).toEqual([])
  })

  it('the error of a formula is neither a name nor a reference', () => {
    expect(codes({ reference: '#N/A' })).toEqual(['/reference invalid'])
    for (const name of ['#N/A', '#NV', '#REF!', '#WERT!', '#DIV/0!', '#NAME?']) {
      expect(read({ name }).errors, name).toMatchObject([{ detail: 'The name is the error of a formula.' }])
    }
    expect(codes({ name: '#1 Fasteners' })).toEqual([])
    expect(codes({ name: '#UNLIMITED' })).toEqual([])
  })

  it('a formula is neither a name nor a reference', () => {
    expect(codes({ reference: '=A2' })).toEqual(['/reference invalid'])
    for (const name of ['=SUM(A1:A9)', ' =VERKETTEN(A1;B1)', '=$B$2', '=Blatt1!C7', '=+A1&" Ltd"', '="Acme"']) {
      expect(read({ name }).errors, name).toMatchObject([{ detail: 'The name is a formula instead of its result.' }])
    }
    expect(codes({ name: '=Acme', note: '=> see the contract' })).toEqual([])
  })

  it('a field that is not given keeps its value, and the last four digits keep an account', () => {
    const { content: before } = read({ accounts: ['DE89370400440532013000'], note: 'old', domains: ['acme.com'] })
    const { content, errors } = readContent({ accounts: ['…3000', '20-00-00 55779911'] }, before, digestOf)
    expect(errors).toEqual([])
    expect(content).toMatchObject({ name: 'Acme Ltd', note: 'old', domains: ['acme.com'] })
    expect(content.accounts.map(({ last4 }) => last4)).toEqual(['3000', '9911'])
    expect(content.accounts[0]).toEqual(before.accounts[0])
  })

  it('is found by the beginnings of its words, without accents', () => {
    const { content } = read({ name: 'Müller & Söhne GmbH', reference: 'K 4711', domains: ['mueller.example'] })
    expect(termsOf(content)).toEqual(['muller', 'sohne', 'gmbh', 'k 4711', 'k', '4711', 'mueller.example'])
    expect(matchKeyOf({ name: 'MÜLLER  & söhne GmbH', reference: null })).toBe(
      matchKeyOf({ name: 'Müller & Söhne gmbh', reference: null }),
    )
  })
})
