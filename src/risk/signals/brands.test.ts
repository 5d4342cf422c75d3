import { expect, test } from 'vitest'
import { memorySnapshot, type SnapshotPlan } from '../../../test/support/memory-snapshot.ts'
import { testModels } from '../../../test/support/models.ts'
import { isProblem, parseIndicator } from '../indicator.ts'
import { lookUpDomain } from '../look-up/domain.ts'
import { priceOf } from '../weights/prices.ts'
import { BRAND_SIGNALS } from './domain-brand.ts'
import { KNOWN_DOMAIN_SIGNALS } from './domain-known.ts'
import { NAME_SIGNALS } from './domain-name.ts'
import type { Finding, Signal } from './signal.ts'

const models = testModels()
const mixedScript: Signal<'domain'> = NAME_SIGNALS.find(({ code }) => code === 'domain.mixed_script')!
const freeHosting: Signal<'domain'> = KNOWN_DOMAIN_SIGNALS.find(({ code }) => code === 'domain.free_hosting')!

/** The strongest finding about brands in a name: its worth and its sentence. */
function brandEvidence(text: string, plan: SnapshotPlan = {}): { worth: number; sentence: string } {
  const subject = subjectOf(text, plan)
  let worth = 0
  let sentence = ''
  for (const { code, detect } of BRAND_SIGNALS) {
    for (const finding of detect(subject)) {
      if (sentence !== '' && priceOf(code, finding) <= worth) continue
      worth = priceOf(code, finding)
      sentence = typeof finding.sentence === 'string' ? finding.sentence : ''
    }
  }
  return { worth, sentence }
}

function subjectOf(text: string, plan: SnapshotPlan = {}) {
  const indicator = parseIndicator('domain', text)
  if (isProblem(indicator) || indicator.kind !== 'domain') throw new Error(`${text} is no domain`)
  return lookUpDomain(indicator.domain, memorySnapshot(plan), models)
}

function names(text: string): string[] {
  return text.trim().split(/\s+/)
}

// One finding of this worth makes it, with some room for how scores are calibrated.
const MEDIUM_FROM = 1.5
const HIGH_FROM = 3.5

const HIGH = {
  'a lure beside a best-known brand': names(`
    royalmail-fee.com evri-reschedule.com uspspostalcenter.com dhl-paket-abholung.de netflix-membership.com
    wellsfargo-alert.com colissimo-colis.com binance-kyc-verify.com ameli-remboursement.fr correos-aduanas.com
    bank-of-america-secure.com micrоsoft-login.com paypal-sécurité.com`),
  'a lure with digits or a year behind it, or written with digits': names(`
    paypal-login2024.com amazon-support24.net netflix2026-billing.com paypal-l0gin.com`),
  'a brand that is also a word, beside words that only make sense with the brand': names(`
    apple-id-verify.com chase-bank-login.com ledger-live-wallet.com steam-gift-card.com ups-parcel-fee.com
    visa-card-verification.com`),
  'a name that the eye cannot tell from a brand of any fame': names(`
    rnicrosoft.com paypa1.com g00gle.com atlascopc0.com trurnpf.com vvalmart.com barciays.com h0rnbach.de
    viessrnann.com rockw00l.com arnazon-business.com sarnsung-support.com gооgle.com аррӏе.com`),
  'the name of any firm beside a word of invoices or bank details': names(`
    bekaert-bankdetails.com linde-gas-remittance.com viessmann-rechnungen.com rechnung-bekaert.de bekaertinvoices.com`),
  'a misspelt brand beside a lure': names('amazom-support.com iclould-login.com netfllix-billing.com'),
  'the address of a brand without its dots, or in front of another name': names(`
    paypal-com.net usps-com.top paypal.com.verify-now.top secure.paypal-login.harbourhost.net dhl.de-zollgebuehr.com
    amazon.co.uk-refund.com`),
  'a letter typed twice or two exchanged in a long name': names('thyssenkruppp.com thyssenkrrupp.com'),
  'the address of a government in front of another name': names(`
    gov.uk.tax-rebate-portal.com gov.uk-tax-refund.com www.impots.gouv.fr.dossier-fiscal.net ird.govt.nz.inddis.net
    zoll.de-einfuhrabgaben.com`),
  'bank details in the name of a firm of three letters': names('abb-bankdetails.com'),
  'suppliers and tenders of a firm': names(
    'shell-vendor-rfq.com totalenergies-procurement.com bosch-ausschreibung.com',
  ),
  'a brand under an ending that is a lure': names('paypal.support netflix.help'),
  'a lure beside a brand on a platform, whether the public suffix list knows it or not': names(`
    metamask-wallet-login.jimdofree.com metamask-wallet-login.run.app metamask-wallet-login.weebly.com
    metamask-wallet-login.godaddysites.com metamask-wallet-login.wixsite.com metamask-wallet-login.web.app
    paypal-login.github.io dhl-tracking.000webhostapp.com docusign-verify.sharepoint.com`),
}

for (const [what, examples] of Object.entries(HIGH)) {
  test(`high by itself: ${what}`, () => {
    for (const name of examples) expect(brandEvidence(name).worth, name).toBeGreaterThanOrEqual(HIGH_FROM)
  })
}

const MEDIUM = {
  'a best-known brand beside a neutral word or a number': names(`
    paypal-fans.com learn-excel-with-microsoft.com tiktok-stats.com paypal-uk.com netflix-online.com google123.com paypalfans.blogspot.com`),
  'one typing error from a best-known brand under its own suffix': names(`
    paypl.com gooogle.com facebok.com dropbx.com micrsoft.com teslaa.com telegran.com
    amazan.com`),
  'one edit from a name of eight letters or more, under any suffix, and a letter moved by two places': names(`
    decathlonn.fr viesmann.com viesmann.de linkdien.com strabagg.com accionna.com`),
  'the legal form, the size or a country behind a firm': names(`
    stihl-de.com basf-group.net siemens-gmbh.com volvo-uk.org`),
  'a best-known brand with a hyphen in it or under a general ending': names('pay-pal.com net-flix.com paypal.biz'),
}

for (const [what, examples] of Object.entries(MEDIUM)) {
  test(`a second look, not more: ${what}`, () => {
    for (const name of examples) {
      expect(brandEvidence(name).worth, name).toBeGreaterThanOrEqual(MEDIUM_FROM)
      expect(brandEvidence(name).worth, name).toBeLessThan(HIGH_FROM)
    }
  })
}

const FANS = names('paypalfans.com fedexforum.com amazonwatch.org netflixandchillcafe.com')

test('a fan, a critic or a hall that joins a word to a brand is not medium by that alone', () => {
  for (const name of FANS) expect(brandEvidence(name).worth, name).toBeLessThan(MEDIUM_FROM - 0.15)
})

const HONEST = {
  'a short brand inside a word': names(`
    tracking-wildlife.org connecting-worlds.se shipping-container-homes.com startups-berlin.de saudi-airlines.com`),
  'an everyday word that is also a brand': names(`
    apple-orchard-cider.com visa-services-nepal.com orange-county-plumbing.com delta-engineering.de
    steam-cleaning-leeds.co.uk target-marketing-group.com chase-construction.com vanguard-security.co.uk
    general-ledger-help.com apple.farm box.studio`),
  'a brand inside a longer word': names(`
    pineapple-express-courier.com sharpintuition.net purchase-order-software.com emilycreatescopy.net
    firstcargoservice.com revolutionary-tea.com canvas-prints.nl react-bootstrap.com`),
  'dealers, partners, branches and people of that name': names(`
    toyota-dealer-lyon.fr bmw-werkstatt-hamburg.de samsung-reparatur-wien.at shopify-agency-london.co.uk
    sparkasse-musterstadt.de raiffeisenbank-tirol.at allianz-huber.de schwab-metallbau.de forbes-roofing.com`),
  'a branch under the ending of its country, and other firms of that name': names(`
    hondaireland.ie stihl-group.de orange-group-plumbing.com delta-holding.com`),
  'governments in a name, and under their own endings': names(
    'gov-tech-meetup.com portal.gov.uk.com www.service.gov.uk',
  ),
  'words that only look like each other': names('modern.com modem-shop.com corner.de burn-club.com clear.se'),
  'words and towns with accents': names(`
    münchen.de köln.de café-central.at hôtel-de-ville.fr señor-taco.es kråkan.se pendeltåg.se nestlé.com
    crédit-agricole.fr société-générale.fr комета.рф ее.рф`),
  'words a brand took its name from': names(`
    amazon-rainforest-tours.com amazonas-expeditions.com.br amazonriverlodge.com adobehouserestoration.com`),
  "a brand's own label under a country's ending": names('decathlon.fr ikea.gr lidl.ro netflix.jp paypal.fr dhl.co.in'),
  'two words that only together spell a brand': names(`
    crowd-strike-bowling.com best-buy-mattress.com capital-one-stop-plumbing.com`),
  'dictionary words one letter from a brand': names('strip.com strive.school gifthub.live chaser-boats.com'),
  'words of another language one letter from a brand': names('telegraf.ch post-und-telegraf-museum.ch'),
  'names of people and places one letter from a brand': names('goole.co.uk goole.com teala.com'),
}

for (const [what, examples] of Object.entries(HONEST)) {
  test(`hardly counts: ${what}`, () => {
    for (const name of examples) expect(brandEvidence(name).worth, name).toBeLessThan(0.8)
  })
}

test('a digit in place of a letter is seen if the word makes sense only with the letter', () => {
  for (const name of names('swissl0g.com interro11.com vict0ry-sweepers.com karlst0rz.com sanpel1egrino.com')) {
    expect(mixedScript.detect(subjectOf(name)), name).toHaveLength(1)
  }
  for (const name of names(
    'connect10bo.com th0mas.nl level1techs.com ace1media.com kx1cdn.com whas11.com forum24.de',
  )) {
    expect(mixedScript.detect(subjectOf(name)), name).toEqual([])
  }
})

test('an l in place of an i between hyphens, and hyphens in place of dots, are seen; words of any language are not', () => {
  for (const [name, text] of [
    ['kuka-robotlcs.com', 'robotics'],
    ['area-clientl.com', 'clienti'],
    ['hendersonplumbing-co-uk.com', 'hendersonplumbing.co.uk'],
    ['ted-europa-eu.com', 'ted.europa.eu'],
  ] as const) {
    expect(mixedScript.detect(subjectOf(name))[0]?.sentence, name).toContain(`it is read as “${text}”`)
  }
  for (const name of names('multas-y-recursos.es metal-works.com allen-robotics.com co-uk-imports.com')) {
    expect(mixedScript.detect(subjectOf(name)), name).toEqual([])
  }
})

test('words of two alphabets side by side are honest, a word of two alphabets is not', () => {
  expect(mixedScript.detect(subjectOf('web-студия.рф'))).toEqual([])
  expect(mixedScript.detect(subjectOf('bаnk.com'))).toHaveLength(1)
})

test("a brand's own name is no imitation where brands publish, and is one on a site builder", () => {
  for (const name of names('facebook.github.io stripe.readthedocs.io openai.zendesk.com nike.myshopify.com')) {
    expect(brandEvidence(name), name).toEqual({ worth: 0, sentence: '' })
  }
  expect(brandEvidence('metamask.webflow.io').worth).toBeGreaterThan(2)
})

test('a known name that is longer than the brand in it counts beside a word of invoices', () => {
  const plan: SnapshotPlan = { domains: { 'siemens-energy.com': ['popular_100k'] } }
  expect(brandEvidence('siemens-energy-invoices.com', plan).worth).toBeGreaterThanOrEqual(HIGH_FROM)
})

test('the legal form or a country behind a known name is a second look', () => {
  const plan: SnapshotPlan = { domains: { 'prysmian.com': ['popular_100k'] } }
  for (const name of names('prysmian-corp.com prysmian-de.com')) {
    expect(brandEvidence(name, plan).worth, name).toBeGreaterThan(1)
    expect(brandEvidence(name).worth, name).toBe(0)
  }
})

test('a popular name imitates nobody', () => {
  expect(brandEvidence('kakaocorp.com', { domains: { 'kakaocorp.com': ['popular_100k'] } }).worth).toBe(0)
  expect(brandEvidence('paypal-login.com', { domains: { 'paypal-login.com': ['popular_1m'] } }).worth).toBe(0)
})

test('the standing of a platform does not pass to its customers', () => {
  const plan: SnapshotPlan = { domains: { 'jimdofree.com': ['popular_10k'], 'sharepoint.com': ['known_good'] } }
  for (const name of ['metamask-wallet-login.jimdofree.com', 'paypal-verify.sharepoint.com']) {
    expect(brandEvidence(name, plan).worth, name).toBeGreaterThanOrEqual(HIGH_FROM)
    expect(subjectOf(name, plan).above, name).toEqual([])
  }
  // Knowledge about the customer stays with the customer.
  const listed = subjectOf('www.shop.jimdofree.com', { domains: { 'shop.jimdofree.com': ['phishing'] } })
  expect(listed.above.map(({ tag }) => tag)).toEqual(['phishing'])
})

test("the platform's own pages are no customer's", () => {
  for (const name of names('www.wordpress.com public-api.wordpress.com static1.squarespace.com support.zendesk.com')) {
    expect(subjectOf(name).platform, name).toBeUndefined()
  }
  expect(subjectOf('recipes.wordpress.com').platform).toBe('wordpress.com')
})

test('how a name is built is judged without the brand in it, which is judged by itself', () => {
  expect(subjectOf('spotify-playlists.org').worded).toBe('playlists')
  expect(subjectOf('apple-orchard-cider.com').worded).toBe('orchard-cider')
  expect(subjectOf('harbour-bakery.com').worded).toBe('harbour-bakery')
  // A lure beside the brand makes the whole name one, and so does an ending that fraud prefers.
  expect(subjectOf('spotify-login.com').worded).toBe('spotify-login')
  expect(subjectOf('spotify-playlists.top').worded).toBe('spotify-playlists')
})

test('plain words on a platform say nothing, a lure among them does', () => {
  for (const name of names('my-photo-album.vercel.app weather-dashboard.netlify.app contoso24.sharepoint.com')) {
    expect(subjectOf(name).nameLogOdds, name).toBeLessThanOrEqual(0)
  }
  expect(subjectOf('claim-rewards-airdrop.pages.dev').nameLogOdds).toBeGreaterThan(0)
})

test('a place on a platform that companies rent is told and costs nothing', () => {
  const [finding] = freeHosting.detect(subjectOf('contoso.sharepoint.com'))
  expect(finding?.sentence).toBe("A customer's part of sharepoint.com, which companies rent for their own use")
  expect(finding && priceOf('domain.free_hosting', finding)).toBe(0)
})

const SENTENCES: readonly (readonly [name: string, sentence: string])[] = [
  ['paypal-login2024.com', 'Puts paypal (paypal.com) beside the word “login”'],
  ['paypalfans.com', 'Puts paypal (paypal.com) beside the word “fans”'],
  ['huawei123.com', 'Adds digits to the name of huawei (huawei.com)'],
  ['microsoftdm.com', 'Adds “dm” to the name of microsoft (microsoft.com)'],
  ['rnicrosoft.com', 'Looks the same as microsoft (microsoft.com) to the eye: “rn” in place of “m”'],
  ['раypal.com', 'Looks the same as paypal (paypal.com) to the eye: “р” in place of “p”, “а” in place of “a”'],
  [
    'arnazon-business.com',
    'Looks the same as amazon (amazon.com) to the eye: “rn” in place of “m”, beside the word “business”',
  ],
  ['amazom-support.com', 'One typing error away from amazon (amazon.com), beside the word “support”'],
  ['paypal-com.net', 'Writes paypal (paypal.com) like an address without its dot: “paypal-com”'],
  ['paypal.рф', 'The name of paypal under .рф; its site is paypal.com'],
  ['paypal.com.пример.рф', 'Begins like the address of paypal.com, but belongs to xn--e1afmkfd.рф'],
]

test.each(SENTENCES)('%s: %s', (name, sentence) => {
  expect(brandEvidence(name).sentence).toBe(sentence)
})

test.each([
  'paypa1.com',
  'www.paypa1-login.co.uk',
  'рaypal.com',
  'paypal.support',
  'paypal-login.github.io',
  'paypal.com.secure-billing.net',
])('%s comes with the name it may be taken for', (text) => {
  const subject = subjectOf(text)
  const found = BRAND_SIGNALS.flatMap<Finding<string>>(({ detect }) => detect(subject))
  expect(found.map(({ resembles }) => resembles)).toContain('paypal.com')
})

test('the letters of another alphabet are named', () => {
  expect(mixedScript.detect(subjectOf('pаypаl.com'))[0]?.sentence).toBe(
    'Mixes Latin and Cyrillic letters in one word: Cyrillic “а” among Latin letters',
  )
})

test('the address of any site that a hyphen continues is reported, and a name with com before a hyphen alone is not', () => {
  const inFront = BRAND_SIGNALS.find(({ code }) => code === 'domain.brand_subdomain')!
  expect(inFront.detect(subjectOf('tresckow.com-track.top'))).toMatchObject([
    {
      variant: 'continued',
      sentence: 'Begins with the address tresckow.com, continued by a hyphen, but belongs to com-track.top',
    },
  ])
  for (const name of names('com-x.life www.com-x.life shop.comfort-house.com mail.net-works.de')) {
    expect(inFront.detect(subjectOf(name)), name).toEqual([])
  }
})
