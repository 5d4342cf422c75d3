import { describe, expect, test } from 'vitest'
import { memorySnapshot } from '../../../test/support/memory-snapshot.ts'
import { testModels } from '../../../test/support/models.ts'
import { levelOf } from '../engine.ts'
import { isProblem, parseIndicator } from '../indicator.ts'
import { createScorer } from '../score.ts'
import { demandOfFirm } from './unknown-firm.ts'

const models = testModels()
const scorer = createScorer(memorySnapshot({ domains: {} }), models)
const demand = (label: string) => demandOfFirm(label, models.lexicon)

function levels(names: string): string[] {
  return names.split(' ').map((name) => {
    const indicator = parseIndicator('domain', name)
    if (isProblem(indicator)) throw new Error(`${name} was refused: ${indicator.detail}`)
    const [answer] = scorer.evaluate('domain', [indicator], { explain: false })
    return `${name} ${levelOf(answer?.score ?? 0)}`
  })
}

const all = (level: string, names: string) => names.split(' ').map((name) => `${name} ${level}`)

describe('a brand of four letters or of two words, before a word of payments', () => {
  test('is high, and not behind one, where it may be a merit of a program', () => {
    const names = 'kion-invoices.net kone-rechnung.de wacker-neuson-payments.com'
    expect(levels(names)).toEqual(all('high', names))
    expect(levels('facturas-gratis.es')).toEqual(['facturas-gratis.es low'])
  })
})

describe('a firm that no list knows, before a word of payments', () => {
  test('is high, in many languages', () => {
    for (const label of ['tresckow-remittance', 'norvik-shipping-invoices', 'wojtczak-przelew', 'kelmora-rechnungen']) {
      expect(demand(label), label).toMatchObject({ kind: 'firm' })
    }
    const names = 'norvik-shipping-remittance.com olmedo-pagos.com castellani-bonifico.net kelmora-zahlungen.com'
    expect(levels(names)).toEqual(all('high', names))
  })

  test('needs a second look if it is joined to that word, or a name of ordinary words', () => {
    const names = 'hydacremittance.com kelmorarechnungen.net arctic-paper-faktura.com ravenscar-steel-remittance.com'
    expect(levels(names)).toEqual(all('medium', names))
    expect(demand('acme-manufactures')).toBeUndefined()
  })

  test('needs a second look before a word for its suppliers or its orders', () => {
    const names = 'galp-compras.com kelmora-rfq.net tresckow-purchase-order.com'
    expect(levels(names)).toEqual(all('medium', names))
    for (const label of ['joy-sourcing', 'manufacturer-suppliers', 'harbour-procurement']) {
      expect(demand(label), label).toBeUndefined()
    }
  })

  test('makes one beside the word for its suppliers too, whatever it is called', () => {
    const names = 'leonardo-fornitori-pagamenti.com kelmora-supplier-payments.com atlantic-vendor-invoices.net'
    expect(levels(names)).toEqual(all('high', names))
    const honest = 'oakfield-vendor-training.com supplier-diversity-council.org lieferanten-wissen.de'
    expect(levels(honest)).toEqual(all('low', honest))
  })

  test('makes none under the ending of a country, where its own accountants and programs are', () => {
    const names = 'studio-paghe-fatture.it kelmora-rechnungen.de vandersluis-factuur.nl fakturax-faktura.cz'
    expect(levels(names)).toEqual(all('low', names))
  })

  test('makes none with words, with a trade of money, and with more words behind', () => {
    for (const label of 'easy-invoice summit-payments tresckow-billing kelmora-buchhaltung lohn-und-rechnung'.split(
      ' ',
    )) {
      expect(demand(label), label).toBeUndefined()
    }
    for (const label of 'acme-payroll-software tresckow-payment-services payments-kelmora kelmorapayments'.split(' ')) {
      expect(demand(label), label).toBeUndefined()
    }
  })

  test('beside its bank details is high, on either side', () => {
    const names =
      'tresckow-bankdetails.com tresckow-bank-details.com kontodaten-kelmora.com delmarco-bankverbindung.net'
    expect(levels(names)).toEqual(all('high', names))
    expect(demand('bank-change-notification')).toMatchObject({ kind: 'payment' })
    expect(demand('my-bank-details')).toBeUndefined()
    expect(demand('business-bank-account')).toBeUndefined()
  })
})
