import { describe, expect, test } from 'vitest'
import { memorySnapshot, type SnapshotPlan } from '../../test/support/memory-snapshot.ts'
import { testModels } from '../../test/support/models.ts'
import type { Tag } from '../snapshot/types.ts'
import { BASE_SCORE } from './combine.ts'
import { type Evaluation, type Level, levelOf } from './engine.ts'
import { isProblem, parseIndicator } from './indicator.ts'
import { createScorer } from './score.ts'

const models = testModels()

const FREE: readonly Tag[] = ['freemail', 'mail_provider', 'popular_1k', 'known_good']
const PROVIDERS: SnapshotPlan = {
  domains: Object.fromEntries(
    'gmail.com outlook.com yahoo.com hotmail.com aol.com mail.com gmx.de web.de orange.fr libero.it wp.pl proton.me mail.ru icloud.com'
      .split(' ')
      .map((name) => [name, FREE]),
  ),
}

function ask(text: string, plan: SnapshotPlan = PROVIDERS): Evaluation {
  const kind = text.includes('@') ? 'email' : 'domain'
  const indicator = parseIndicator(kind, text)
  if (isProblem(indicator)) throw new Error(`${text}: ${indicator.detail}`)
  return createScorer(memorySnapshot(plan), models).evaluate(kind, [indicator], { explain: true })[0] as Evaluation
}

function levelsOf(addresses: string): Record<string, Level> {
  return Object.fromEntries(addresses.split(/\s+/).map((text) => [text, levelOf(ask(text).score)]))
}

function all(addresses: string, level: Level): Record<string, Level> {
  return Object.fromEntries(addresses.split(/\s+/).map((text) => [text, level]))
}

function sentence(text: string, code: string, plan?: SnapshotPlan): string | undefined {
  return ask(text, plan).signals.find((signal) => signal.code === code)?.description
}

describe('a throw-away mailbox', () => {
  const listed = (...tags: Tag[]): SnapshotPlan => ({
    domains: {
      'mailinator.com': [
        { tag: 'disposable', source: 'disposable-email-domains' },
        { tag: 'disposable', source: 'fakefilter' },
        { tag: 'disposable', source: 'disposable-domains' },
        ...tags,
      ],
    },
  })

  test('is high however popular its provider is', () => {
    expect(levelOf(ask('x@mailinator.com', listed()).score)).toBe('high')
    expect(ask('x@mailinator.com', listed('popular_100k', 'popular_1m')).score).toBe(
      ask('x@mailinator.com', listed()).score,
    )
    expect(levelOf(ask('mailinator.com', listed('popular_100k')).score)).not.toBe('low')
  })

  test('says whose lists name its provider', () => {
    expect(sentence('x@mailinator.com', 'email.disposable', listed())).toBe(
      'A throw-away mailbox: disposable-email-domains, fakefilter and 1 more list its provider',
    )
  })

  test('is not claimed of an institution, a brand or a popular site by one list alone', () => {
    for (const [domain, tags] of [
      ['cs.example.edu', []],
      ['riverbank.com', ['bank']],
      ['paypal.com', []],
      ['widgets-daily.com', ['popular_100k']],
    ] as const) {
      const plan: SnapshotPlan = {
        domains: { [domain]: [{ tag: 'disposable', source: 'disposable-domains' }, ...tags] },
      }
      expect(levelOf(ask(`jo.smith@${domain}`, plan).score), domain).toBe('low')
      expect(sentence(`jo.smith@${domain}`, 'email.disposable', plan)).toMatch(
        /^Named by one list .* \(disposable-domains\)/,
      )
    }
  })

  test('is worth a second look where a gathered list alone names a domain nothing is known of', () => {
    const plan: SnapshotPlan = { domains: { 'mannhomes.com': [{ tag: 'disposable', source: 'disposable-domains' }] } }
    expect(levelOf(ask('jo.smith@mannhomes.com', plan).score)).toBe('medium')
  })

  test('is known by the name of its provider before a list knows it', () => {
    expect(levelOf(ask('jo.smith@temp-mail-box.net').score)).not.toBe('low')
    expect(sentence('jo.smith@temp-mail-box.net', 'email.disposable')).toMatch(/temp mail/)
    for (const honest of ['templemail.com', 'contemporary-mailings.com', 'fakenham-mail.co.uk']) {
      expect(sentence(`jo.smith@${honest}`, 'email.disposable'), honest).toBeUndefined()
    }
  })
})

describe('a relay', () => {
  const relay: SnapshotPlan = { domains: { 'duck.com': ['relay', 'known_good'] } }

  test('is no worse for the random address it gives out', () => {
    expect(ask('x7k2q9zt4w@duck.com', relay).score).toBe(ask('jane.smith@duck.com', relay).score)
    expect(levelOf(ask('x7k2q9zt4w@duck.com', relay).score)).toBe('medium')
    expect(sentence('x7k2q9zt4w@duck.com', 'email.privacy_relay', relay)).toMatch(/forwarding address of duck\.com/)
  })

  test('of iCloud is known by the form of its addresses', () => {
    expect(sentence('tweed_anchor.0v@icloud.com', 'email.privacy_relay')).toMatch(/Hide My Email/)
    expect(levelOf(ask('tweed_anchor.0v@icloud.com').score)).toBe('medium')
    expect(sentence('jane_kowalski.84@icloud.com', 'email.privacy_relay')).toBeUndefined()
  })
})

test('an ordinary free mailbox is a little better than a stranger, however famous its provider is', () => {
  const bare: SnapshotPlan = { domains: { 'gmail.com': ['freemail'] } }
  expect(ask('jane.smith@gmail.com').score).toBe(ask('jane.smith@gmail.com', bare).score)
  expect(ask('jane.smith@gmail.com').score).toBeLessThan(BASE_SCORE)
  expect(ask('jane.smith@gmail.com').score).toBeGreaterThan(0)
})

describe('a free mailbox that claims to be somebody', () => {
  test('is high where a known name stands beside money or security', () => {
    const addresses =
      'bankofamerica.transferdept@gmail.com accounts.payable.siemens@gmail.com hmrc.refunds@outlook.com ' +
      'paypal-billing-team@hotmail.com microsoft.security.alert@gmail.com dhl.customs.payment@yahoo.com ' +
      'payroll.dept.walmart@aol.com irs.gov.refund@gmail.com bank.of.america.security@gmail.com ' +
      'dhl.customs.clearance@outlook.com paypalbillingteam@gmail.com micr0soft.security@outlook.com chase.bank.alerts@gmail.com ' +
      'agenzia.entrate.rimborso@libero.it sparkasse.kundenservice@gmx.de vorstand.siemens@web.de ceo.payments@gmail.com ' +
      'paypal.service@outlook.com fbi.director@gmail.com amazon.seller.support@gmail.com'
    expect(levelsOf(addresses)).toEqual(all(addresses, 'high'))
  })

  test('is medium where it claims an office or a department and no known company', () => {
    const addresses =
      'ceo.name.company@gmail.com office.of.the.ceo@outlook.com cfo.acmecorp@gmail.com director.johnsmith@mail.com ' +
      'chief.financial.officer@gmail.com managingdirector@mail.com geschaeftsfuehrer@gmx.de pdg.dupont@gmail.com ' +
      'directeur.general@orange.fr gerente.general@hotmail.com amministratore.delegato@libero.it ' +
      'president.michael.grant@gmail.com wire.instructions@proton.me dyrektor.finansowy@wp.pl md8067@yahoo.com payroll.department@gmail.com accounts.payable@gmail.com ' +
      'christopher.wray.fbi@gmail.com hmrc.johnson@gmail.com agent.john.irs@gmail.com thefbi@gmail.com dhlexpress.uk@gmail.com ' +
      'paypal.uk@gmail.com coinbase.support.john@gmail.com netflix.help.miami@gmail.com'
    expect(levelsOf(addresses)).toEqual(all(addresses, 'medium'))
  })

  test('is not heard in names of people, fans, clubs and small firms', () => {
    const addresses =
      'smithplumbing@gmail.com info.bakery.lyon@orange.fr accounts.greenleafcafe@gmail.com billing.tinystudio@gmail.com ' +
      'drpatelclinic@yahoo.com ford.harrison@gmail.com chase.miller@gmail.com mercedes.lopez@hotmail.com visa.k@gmail.com ' +
      'target.shooter88@gmail.com morgan.stanley@gmail.com ali.baba@gmail.com md.sony@gmail.com md.rahman@gmail.com ' +
      'grant.brown@gmail.com president.brown@gmail.com president.lionsclub@gmail.com chairman.rotaryclub@gmail.com choir.director@gmail.com ' +
      'john.doe.md@gmail.com heather.security@gmail.com jenkins6797@gmail.com maceo.parker@gmail.com cfoster@gmail.com rogers.support@gmail.com virginia.billing@gmail.com ' +
      'garage.peugeot.lyon@orange.fr apple.repair.center.delhi@gmail.com porsche911@gmail.com irs.miller@gmail.com ' +
      'food.bank.finance@gmail.com student.government.finance@gmail.com delivery.boy@gmail.com ap.singh@gmail.com ' +
      'samsung.service.pune@gmail.com apple.service.mumbai@gmail.com toyota.uk@gmail.com maria.amazon@gmail.com ' +
      'disney.travel.agent.kim@gmail.com remax.agent.lucy@gmail.com carlos.santander.legal@gmail.com ' +
      'directeur.chorale@orange.fr директор.школы@mail.ru interpol.band.club@gmail.com tom.support@gmail.com garcia.y.cia@gmail.com'
    expect(levelsOf(addresses)).toEqual(all(addresses, 'low'))
  })

  const FIRMS: SnapshotPlan = {
    domains: {
      ...PROVIDERS.domains,
      ...Object.fromEntries(
        'geodis prysmian smurfitkappa immobilien hellmann greenandgoldrugby brightdata'
          .split(' ')
          .map((name) => [`${name}.com`, ['popular_100k']]),
      ),
    },
  }
  const firmLevels = (addresses: string) =>
    Object.fromEntries(addresses.split(' ').map((text) => [text, levelOf(ask(text, FIRMS).score)]))

  test('is high where the name of a firm of any fame stands beside money or recruitment, in any order and joined', () => {
    const addresses =
      'remittance.geodis@gmail.com geodis.faktury@wp.pl lasku_geodis@gmail.com geodisinvoices2024@gmail.com ' +
      'rechnunggeodis@gmx.de prysmian.vagas@gmail.com careers-prysmian@gmail.com invoices.smurfit.kappa@gmail.com ' +
      'fatture.geodis.italia@libero.it rechnung.phoenixcontact@gmx.de faktury.raben.group@outlook.com'
    expect(firmLevels(addresses)).toEqual(all(addresses, 'high'))
    expect(sentence('geodisinvoices@gmail.com', 'email.impersonation', FIRMS)).toBe(
      'A free mailbox that claims to be geodis: it puts geodis beside invoices',
    )
  })

  test('is not heard where the name of a firm is a word, a surname or not alone, or says nothing of money', () => {
    const addresses =
      'rechnung.immobilien@gmx.de immobilien.karriere@gmx.de hellmann.rechnung@gmx.de facture.hellmann@orange.fr ' +
      'payments.brightdata@gmail.com anna.geodis@gmail.com geodis.photos@gmail.com geodis@gmail.com ' +
      'invoices.marie.geodis@gmail.com rechnung.mueller-bau@gmail.com invoices.smithplumbing@gmail.com ' +
      'accounts.stmarysprimary@gmail.com faktura.apteka@wp.pl support.geodis@gmail.com'
    expect(firmLevels(addresses)).toEqual(all(addresses, 'low'))
    // Two words of a dictionary may be somebody else's.
    expect(levelOf(ask('payments.greenandgoldrugby@gmail.com', FIRMS).score)).toBe('medium')
  })

  test('is high where a known firm offers work, and low where a person asks for it', () => {
    const offers =
      'careers.shellglobal@outlook.com hr.interview.lufthansa@yahoo.com tatasteel.offerletter@gmail.com ' +
      'telegram.parttime.jobs88@gmail.com rekrutacja.siemens@wp.pl vagas.petrobras@gmail.com amazon.task@gmail.com'
    expect(levelsOf(offers)).toEqual(all(offers, 'high'))
    const honest =
      'hr.petersen@gmail.com jobs.cafe.lotte@gmx.de bewerbung.anna.schulze@gmx.de steve.jobs.fan@gmail.com ' +
      'interview.podcast.tom@gmail.com career.day.parents@gmail.com recruiter.jenny.lane@gmail.com careers@gmail.com ' +
      'lego.parttime.builder@gmail.com rekrutacja.anna.nowicka@wp.pl praca_daniell@wp.pl vagas.joao.souza@gmail.com youtube.earn.tips.joe@gmail.com'
    expect(levelsOf(honest)).toEqual(all(honest, 'low'))
  })

  test('is high for offices that only fraud has', () => {
    const addresses =
      'new.bank.details.supplier@outlook.com neue-bankverbindung@gmx.de nuovo.iban.rossi@libero.it ' +
      'lottery.claims.agent@gmail.com atm.card.compensation@gmail.com inheritance.claim.dept@gmail.com ' +
      'powerball.winner.agent@gmail.com bank.compliance.dept@hotmail.com apple-id-team@gmail.com ' +
      'hr.payroll.directdeposit@gmail.com loan.offer.3percent@gmail.com barrister.okon.inheritance.claim@yahoo.com ' +
      'director.urgent.payment@gmail.com'
    expect(levelsOf(addresses)).toEqual(all(addresses, 'high'))
    expect(sentence('lottery.claims.agent@gmail.com', 'email.impersonation')).toBe(
      'A free mailbox for what only fraud writes about: it says lottery',
    )
    const departments =
      'it-support-desk@gmail.com revenue.refund.office@gmail.com mailbox.quota.admin@gmail.com ' +
      'webmail.administrator@outlook.com server.admin.webmaster@gmail.com'
    expect(levelsOf(departments)).toEqual(all(departments, 'medium'))
    const honest =
      'lottery@gmail.com lottery.syndicate.friends@gmail.com lotto.gruppe.kegel@gmx.de lottie.claims@gmail.com ' +
      'compensation.lawyer.reid@gmail.com claims.adjuster.bob@gmail.com insurance.agent.tony@gmail.com ' +
      'estate.agent@gmail.com inheritance.lawyer.reid@gmail.com notaire.succession@orange.fr avocat.heritage@orange.fr ' +
      'recovery.agent.tom@gmail.com samsung.offers.blog@gmail.com ' +
      'it.support.hans@gmail.com itsupport.mikejones@gmail.com webmaster.chorverein@gmx.de helpdesk.peterson@gmail.com ' +
      'support.keramik.anna@gmail.com admin.bookclub@gmail.com food.bank.dept@gmail.com microsoft.fan.team@gmail.com'
    expect(levelsOf(honest)).toEqual(all(honest, 'low'))
  })

  test('is high for several words of recruitment amid others beside a company, and low for one', () => {
    expect(levelsOf('hr.recruitment.infosys.offers.desk@gmail.com')).toEqual(
      all('hr.recruitment.infosys.offers.desk@gmail.com', 'high'),
    )
    expect(levelsOf('infosys.careers.by.ravi.kumar@gmail.com')).toEqual(
      all('infosys.careers.by.ravi.kumar@gmail.com', 'low'),
    )
  })

  test('is heard whatever stands between its letters and whatever accents stand on them', () => {
    for (const local of [
      'pàypal.security',
      '"paypal security"',
      'paypal~security',
      'paypal=security',
      '{paypal}security',
      'pay\u00adpal.security',
      'ｐａｙｐａｌ.security',
      'p.a.y.p.a.l.security',
      'p-a-y-p-a-l-s-e-c-u-r-i-t-y',
    ]) {
      expect(ask(`${local}@gmail.com`).score, local).toBe(ask('paypal.security@gmail.com').score)
    }
  })

  test('is heard in the spelling and the alphabet of its language', () => {
    const titles =
      'geschäftsführer@gmx.de président@orange.fr directrice.générale@orange.fr verkställande.direktör@gmail.com ' +
      'директор@mail.ru генеральный.директор@mail.ru'
    expect(levelsOf(titles)).toEqual(all(titles, 'medium'))
    const companies = 'rückerstattung.finanzamt@gmx.de сбербанк.безопасность@mail.ru'
    expect(levelsOf(companies)).toEqual(all(companies, 'high'))
    expect(sentence('генеральный.директор@mail.ru', 'email.impersonation')).toMatch(/it says генеральный директор$/)
  })

  test('is not heard in names with accents, in other alphabets, with initials or odd separators', () => {
    const addresses =
      "müller.jürgen@gmx.de andré.françois@orange.fr josé.garcía@gmail.com иван.петров@mail.ru o'brien.kate@gmail.com " +
      'γιώργος.παπαδόπουλος@gmail.com محمد.علي@gmail.com 田中.太郎@gmail.com łukasz.żółkiewski@wp.pl søren.kjær@gmail.com ' +
      'nguyễn.thị.hà@gmail.com çağla.yıldız@gmail.com j.o.smith@gmail.com a.b.c.miller@gmail.com a.p.j.a.kalam@gmail.com ' +
      'ремонт.окон@mail.ru pâtisserie.dupont@orange.fr rock&roll@gmail.com john~doe@gmail.com'
    expect(levelsOf(addresses)).toEqual(all(addresses, 'low'))
    for (const text of addresses.split(' ')) expect(sentence(text, 'domain.mail_provider'), text).toMatch(/nobody else/)
    // Not above a company whose name is ordinary: fraud from a free mailbox has to claim something.
    expect(ask('agathon.khan@gmail.com').score).toBeLessThanOrEqual(2)
  })

  test('says which words make the claim', () => {
    expect(sentence('wells.fargo.alerts@yahoo.com', 'email.impersonation')).toBe(
      'A free mailbox that claims to be wells fargo: it puts wells fargo beside alerts',
    )
  })

  test('is no better for the standing of its provider', () => {
    const bare: SnapshotPlan = { domains: { 'gmail.com': ['freemail'] } }
    expect(ask('paypal.security@gmail.com').score).toBe(ask('paypal.security@gmail.com', bare).score)
  })
})

describe('letters of several alphabets before the @', () => {
  test('are high where they spell a claim, at any provider where they spell a name', () => {
    const addresses =
      'раypal.security@gmail.com micrоsoft.support@outlook.com аmazon@gmail.com сeo@gmail.com αmazon.refund@gmail.com ' +
      'раypal@quiet-name.net аpple@icloud.com сhase@gmail.com'
    expect(levelsOf(addresses)).toEqual(all(addresses, 'high'))
    expect(sentence('раypal.security@gmail.com', 'email.impersonation')).toBe(
      'A free mailbox that claims to be paypal: it puts paypal beside security, with a word in Latin and Cyrillic letters',
    )
  })

  test('ask for a second look by themselves, and are nothing where each word has its own', () => {
    const mixed = 'ивaнов@mail.ru infо@quiet-name.net'
    expect(levelsOf(mixed)).toEqual(all(mixed, 'medium'))
    expect(sentence('ивaнов@mail.ru', 'email.impersonation')).toBe(
      'Mixes Latin and Cyrillic letters in one word before the @',
    )
    expect(levelOf(ask('сергей.orlov@mail.ru').score)).toBe('low')
  })
})

test('a free mailbox with the word of a claim is not said to claim nothing', () => {
  for (const text of (
    'security@gmail.com postmaster@gmx.de noreply@icloud.com billing@gmail.com msc.shipping.line@gmail.com chase@gmail.com ' +
    'accounts.greenleafcafe@gmail.com maria.amazon@gmail.com irs.miller@gmail.com president.brown@gmail.com сергей.orlov@mail.ru'
  ).split(' ')) {
    expect(levelOf(ask(text).score), text).toBe('low')
    expect(sentence(text, 'domain.mail_provider'), text).toBeUndefined()
  }
  for (const text of 'chase.miller@gmail.com md.rahman@gmail.com mercedes.lopez@hotmail.com info.bakery.lyon@gmail.com'.split(
    ' ',
  )) {
    expect(sentence(text, 'domain.mail_provider'), text).toMatch(/nobody else/)
  }
})

describe('a local part made up by a program', () => {
  test('is worth a second look', () => {
    const addresses =
      'xkq7r9zp2w@gmail.com a8f3k2l9x0@outlook.com qwrtzpsdfg@yahoo.com hjdkfhskdjf@gmail.com zxcvb12931qq@mail.ru ' +
      'kjh34kjh5@proton.me 7vszff4j@gmail.com 3fa85f6457174562@gmail.com'
    expect(levelsOf(addresses)).toEqual(all(addresses, 'medium'))
  })

  test('is not seen in names of any language, initials, years and words', () => {
    const addresses =
      'szczepaniak.k@gmail.com nguyenthuytrang1990@gmail.com mkrzyzanowski@gmail.com jsmth84@gmail.com ' +
      'wqzhang2010@gmail.com bjrnstjrne@gmail.com xiaoqing.zhu@gmail.com k.v.raghunathan@gmail.com ' +
      'abdulrahmanalqahtani@gmail.com pmc.hughes@gmail.com mkrtchyangrigor@mail.ru nxumalonkosinathi@gmail.com ' +
      'zsuzsannagyorgyi@gmail.com hyttynenjyrki@gmail.com trzcinskiprzemyslaw@wp.pl krejciovastepanka@gmail.com ' +
      'sk8terboy@gmail.com catlover22@gmail.com mrandmrssmith@gmail.com 19840412@gmail.com jdfw1985@gmail.com ' +
      'xxhardxx@gmail.com d3m0nl0rd@gmail.com foxvet.hr@gmail.com'
    expect(levelsOf(addresses)).toEqual(all(addresses, 'low'))
  })

  test('is how universities and companies number people, and programs the answers they await', () => {
    for (const text of [
      'xkq7r9zp2w@paypal.com',
      'xkq7r9zp2w@stu.example.edu.cn',
      'bounce-7f3k2q9zx4@news.example.com',
      'xkq7r9zp2w@reply.example.com',
      'xkq7r9zp2w=example.org@example.com',
    ]) {
      expect(sentence(text, 'email.random_local'), text).toBeUndefined()
    }
  })

  test('is described by what was seen', () => {
    expect(sentence('qwrtzpsdfg@gmail.com', 'email.random_local')).toMatch(/10 consonants in a row/)
    expect(sentence('xkq7r9zp2w@gmail.com', 'email.random_local')).toMatch(/letters and digits change 6 times/)
  })
})

test('no sentence repeats the part before the @', () => {
  for (const text of [
    'xkq7r9zp2w@gmail.com',
    'paypal.security@gmail.com',
    'paypalbillingteam@gmail.com',
    'tweed_anchor.0v@icloud.com',
    'cfo.acmecorp@gmail.com',
  ]) {
    for (const { description } of ask(text).signals) expect(description).not.toContain(text.slice(0, text.indexOf('@')))
  }
})

test('a firm that a snapshot made popular is known by that snapshot alone', () => {
  const popular = { domains: { ...PROVIDERS.domains, 'zalvanti.com': ['popular_100k'] as const } }
  const mailbox = 'accounts.zalvanti@gmail.com'
  expect([PROVIDERS, popular, PROVIDERS].map((plan) => levelOf(ask(mailbox, plan).score))).toEqual([
    'low',
    'high',
    'low',
  ])
})

test('a mailbox for new bank details is none that a firm has, except a bank that opens accounts', () => {
  const announced = 'nuovo-iban@officine-tarvisio.com new.iban.notice@kelmora.com neue-bankverbindung@tresckow.com'
  expect(levelsOf(announced)).toEqual(all(announced, 'medium'))
  expect(sentence('nuovo-iban@officine-tarvisio.com', 'email.impersonation')).toBe(
    'The part before the @ announces new bank details: “nuovo iban”',
  )
  expect(levelOf(ask('new.bank.account@riverbank.com', { domains: { 'riverbank.com': ['bank'] } }).score)).toBe('low')
  const honest =
    'iban@kelmora.com bank.details@tresckow.com new.accounts@kelmora.com accounts@kelmora.com ' +
    'direct-deposit@kelmora.com loan.offers@kelmora.com'
  expect(levelsOf(honest)).toEqual(all(honest, 'low'))
})
