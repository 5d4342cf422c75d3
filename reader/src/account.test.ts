import { describe, expect, it } from 'vitest'
import { findAccounts } from './account.ts'

describe('bank accounts in a text', () => {
  it.each([
    ['Please pay to DE89 3704 0044 0532 0130 00 by Friday.', 'DE89370400440532013000'],
    ['IBAN:GB29NWBK60161331926819\nBIC NWBKGB2L', 'GB29NWBK60161331926819'],
    ['iban nl91\u00a0abna\u00a00417\u00a01643\u00a000', 'NL91ABNA0417164300'],
    ['FR14-2004-1010-0505-0001-3M02-606', 'FR1420041010050500013M02606'],
    ['> IBAN: DE89 3704 0044 \n> 0532 0130 00\n> BIC COBADEFF', 'DE89370400440532013000'],
    ['DE89\u200b3704\u00ad0044\u20110532\u20110130\u201100', 'DE89370400440532013000'],
    ['Sort code: 60–16–13 Account number: 31926819', '60-16-13 31926819'],
    ['Sort code: 60-16-13\nAccount number: 31926819', '60-16-13 31926819'],
    ['Account no. 3192 6819, sort code 60 16 13', '60-16-13 31926819'],
    ['Sort Code / Account: 601613 / 31926819', '60-16-13 31926819'],
    ['Sort code\n60-16-13\nAccount name\nAcme 2000 Ltd\nAccount number\n31926819', '60-16-13 31926819'],
    ['ABA routing number 021000021, account # 000123456789', '021000021 000123456789'],
    ['Acct: 4417123456 (Routing: 021000021)', '021000021 4417123456'],
  ])('%j', (text, account) => {
    expect(findAccounts(text)).toEqual([account])
  })

  it.each([
    'Call +44 20 7946 0958 or 020 7946 0958.',
    'Order DE12 3456 7890 1234 5678 90 was shipped.',
    'IBAN DE89 3704 0044 0532 0130 01',
    'IBAN DE89 3704 0044\n\n0532 0130 00',
    'Invoice 31926819 of 12-03-26, customer account 31926819',
    'Sort code 60-16-13, invoice 20261018',
    'Routing number 021000022, account 123456789',
    'Tracking 021000021 for account 123456789',
    'VAT GB123456789, DUNS 315369934, EORI GB123456789000',
    'The sort code is on your card; your account manager calls at 10 30.',
    '4111 1111 1111 1111',
  ])('finds none in %j', (text) => {
    expect(findAccounts(text)).toEqual([])
  })

  it('names each once, and takes a long text in a moment', () => {
    const twice = 'DE89370400440532013000 and DE89 3704 0044 0532 0130 00'
    expect(findAccounts(twice)).toHaveLength(1)
    expect(findAccounts('account sort code '.repeat(100_000) + twice)).toEqual([])
    expect(findAccounts(twice + ' account 1 sort code 1-'.repeat(40_000))).toHaveLength(1)
  })
})
