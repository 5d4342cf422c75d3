import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { memorySnapshot } from '../../../test/support/memory-snapshot.ts'
import { testModels } from '../../../test/support/models.ts'
import { compileBundled } from '../../feeds/bundled.ts'
import { openSnapshot } from '../../snapshot/read.ts'
import { levelOf } from '../engine.ts'
import { isProblem, parseIndicator } from '../indicator.ts'
import { createScorer } from '../score.ts'
import { demandIn, LURE_LINES } from './lure-languages.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-lures-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'bundled.snapshot')
compileBundled({ file, nowMs: Date.UTC(2026, 5, 1) })
const scorer = createScorer(openSnapshot(file), testModels())

function answerOf(kind: 'domain' | 'email', text: string, by = scorer) {
  const indicator = parseIndicator(kind, text)
  if (isProblem(indicator)) throw new Error(`${text} was refused: ${indicator.detail}`)
  const score = by.evaluate(kind, [indicator], { explain: true })[0]
  if (score === undefined) throw new Error(`no answer about ${text}`)
  return score
}
const levelsOf = (kind: 'domain' | 'email', texts: string, by = scorer) =>
  texts.split(' ').map((text) => `${text} ${levelOf(answerOf(kind, text, by).score)}`)
const all = (level: string, texts: string) => texts.split(' ').map((text) => `${text} ${level}`)

/** All runs of five letters of a word, or the whole of a shorter one. */
const piecesOf = (word: string) =>
  Array.from({ length: Math.max(1, word.length - 4) }, (_, at) => word.slice(at, at + 5))

const TELLING = LURE_LINES.filter(({ neighbour }) => neighbour !== '')

describe('the words of lure-languages.txt', () => {
  test('are of 28 languages, English and the names of the whole world beside them', () => {
    expect(new Set(LURE_LINES.map(({ language }) => language)).size).toBe(30)
  })

  test('are plain letters, of one sort each', () => {
    const sorts = new Map<string, string>()
    for (const { sort, words } of LURE_LINES) {
      for (const word of words) {
        expect(word, word).toMatch(/^[a-z]+$/)
        expect(sorts.get(word) ?? sort, word).toBe(sort)
        sorts.set(word, sort)
      }
    }
  })

  test('name a site for each institution, which makes no demand itself', () => {
    for (const { sort, words, sites } of TELLING) {
      if (sort !== 'office' && sort !== 'namesake') continue
      expect(sites, words[0]).not.toEqual([])
      for (const site of sites) expect(demandIn('zahlung-bestaetigen', site), site).toBeUndefined()
    }
  })

  test('have an honest neighbour each, which contains the word or nearly and is low', () => {
    const levels = TELLING.map(({ words, neighbour }) => {
      const letters = neighbour.replaceAll('-', '')
      const isNear = words.some((word) => piecesOf(word).some((piece) => letters.includes(piece)))
      expect(isNear, `${neighbour} for ${words[0]}`).toBe(true)
      return `${neighbour} ${levelOf(answerOf('domain', neighbour).score)}`
    })
    expect(levels.filter((line) => !line.endsWith(' low'))).toEqual([])
  })

  test('demand nothing alone, beside an honest word, or inside a longer one', () => {
    for (const { words } of TELLING) {
      for (const word of words) {
        for (const name of [word, `${word}-wanderfreunde`, `wanderfreunde-${word}`, `${word}ezgo`, `ezgo${word}`]) {
          expect(demandIn(name, ''), name).toBeUndefined()
        }
      }
    }
  })

  test('are of one language in a demand', () => {
    expect(demandIn('offene-posten', '')).toBeUndefined()
    expect(demandIn('posten-betaling-pakke', '')?.kind).toBe('institution')
  })
})

describe('an institution beside a demand, not under its own domain', () => {
  test('is high, with and without hyphens, in accents too', () => {
    const names =
      'skatteverket-aterbaring.com impots-remboursement-dossier.fr finanzamt-steuererstattung.com skatteverketaterbaring.com ' +
      'agenzia-entrate-rimborso.com receita-federal-restituicao.com belastingdienst-teruggave.com urzad-skarbowy-zwrot.com ' +
      'financni-sprava-vratka.com financna-sprava-preplatok.com magyar-posta-csomag-vam.com anaf-rambursare.com ' +
      'bgpost-pratka-taksa.com aade-epistrofi-forou.com skattestyrelsen-tilbagebetaling.com skatteetaten-refusjon.com ' +
      'verohallinto-palautus.com edevlet-iade-basvuru.com kokuzeicho-mibarai.com shuiwuju-tuishui.com ' +
      'postnord-betala-tullavgift.com via-verde-portagem.com skatteverket-återbäring.com sunpass-unpaid-tolls.com ' +
      'vr-securego-freischalten.com csob-smartklic-aktivace.com parivahan-echallan-pay.com vietcombank-digibank-xacthuc.com ' +
      'kakaobank-injeung.com gosuslugi-vyplata.com omniva-siunta-mokestis.com maybank2u-tac-verify.com alrajhi-tahdith.com ' +
      'hrvatska-posta-carina-placanje.com poslaju-bungkusan-bayaran.com ' +
      'centrelink-payment-update.com singpass-verify-account.com aadhaar-update-verify.com sparkasse-sicherheitsabfrage.net'
    expect(levelsOf('domain', names)).toEqual(all('high', names))
  })

  test('is high beside one unknown word, and medium beside a word of advisers', () => {
    const names = 'fgts-saque-paranaue.com kbc-aanmelden-kaart.com sahibinden-param-guvende.com dmv-unpaid-fine.com'
    expect(levelsOf('domain', names)).toEqual(all('high', names))
    const advisers = 'fgts-saque-advogado.com.br ipva-isencao-despachante.com.br bpjs-klaim-konsultan.com'
    expect(levelsOf('domain', advisers)).toEqual(all('medium', advisers))
  })

  test('is high as a known firm of any trade', () => {
    const names =
      'movistar-factura-impagada.com orange-facture-impayee.com telekom-lastschrift-bestaetigen.com uniswap-allocation.com krones-remit.com'
    expect(levelsOf('domain', names)).toEqual(all('high', names))
  })

  test('is quoted with the real site', () => {
    const { signals } = answerOf('domain', 'skatteverket-aterbaring.com')
    const reasons = signals?.map(({ description }) => description).join('\n')
    expect(reasons).toContain('Puts “aterbaring” beside “skatteverket”, whose own site is skatteverket.se')
  })

  test('is low under its own', () => {
    const names =
      'skatteverket.se impots.gouv.fr agenziaentrate.gov.it portaldasfinancas.gov.pt belastingdienst.nl financnisprava.cz ' +
      'agenziaentrateriscossione.gov.it deutsche-rentenversicherung.de rundfunkbeitrag.de pensionsmyndigheten.se'
    expect(levelsOf('domain', names)).toEqual(all('low', names))
  })
})

describe('on a platform that anyone can use', () => {
  test('an institution or a wallet beside a demand or a word of its trade is high', () => {
    const names =
      'commonwealthbank-netbank.pages.dev exodus-wallet-import.vercel.app bell-canada-login.godaddysites.com ' +
      'banco-chile-clave.duckdns.org paypal-api-login.vercel.app'
    expect(levelsOf('domain', names)).toEqual(all('high', names))
  })

  test('what developers try out is low, and medium in the name of a brand', () => {
    const names =
      'tetris-clone.pages.dev jkowalski-portfolio.github.io rezeptplaner-anna.netlify.app todo-list-api.herokuapp.com ' +
      'bank-app-demo.netlify.app'
    expect(levelsOf('domain', names)).toEqual(all('low', names))
    const clones = 'netflix-clone-react.vercel.app spotify-clone-nextjs.vercel.app'
    expect(levelsOf('domain', clones)).toEqual(all('medium', clones))
  })
})

describe('two words of payment or account', () => {
  test('are medium at least', () => {
    const names =
      'actualizar-datos-bancarios.com potwierdz-dane-konta.com zahlungsdaten-aktualisieren.de confirmer-coordonnees-bancaires.com ' +
      'conferma-dati-bancari.it atualizar-dados-bancarios.com.br rekening-geblokkeerd.nl overeni-bankovniho-uctu.cz ' +
      'overenie-bankoveho-uctu.sk bankszamla-frissites.hu actualizare-date-bancare.ro potvardi-smetka.bg ' +
      'epivevaiosi-logariasmou.gr bekrafta-kontouppgifter.se bekraeft-kontooplysninger.dk bekreft-kontoopplysninger.no ' +
      'vahvista-tilitiedot.fi hesap-bilgileri-guncelle.com kouza-kakunin.com zhanghu-yanzheng.com offenerechnungbezahlen.com'
    expect(levelsOf('domain', names).filter((line) => line.endsWith(' low'))).toEqual([])
  })

  test('are medium where an account changes', () => {
    const names =
      'bankverbindung-geaendert.com changement-rib-fournisseur.com cambio-iban-fornitore.com cambio-cuenta-bancaria.com ' +
      'alteracao-conta-bancaria.com gewijzigd-rekeningnummer.com zmiana-konta-bankowego.com zmena-bankovniho-uctu.com ' +
      'bankszamlaszam-valtozas.com schimbare-cont-bancar.com andrat-bankgiro.com aendring-bankkonto.com endret-kontonummer.com ' +
      'tilinumero-muutos.com banka-hesap-degisikligi.com neue-bankverbindung.com nouveau-rib-fournisseur.com ' +
      'nueva-cuenta-proveedor.com coordinate-bancarie-aggiornate.com nieuwe-bankgegevens.com nowy-numer-konta.com ' +
      'uj-bankszamlaszam.com nya-kontouppgifter.com yeni-banka-hesabi.com'
    expect(levelsOf('domain', names).filter((line) => line.endsWith(' low'))).toEqual([])
    const honest =
      'cambio-climatico-blog.es changement-de-decor-lille.fr zmiana-warty-teatr.pl cambio-automatico-talleres.es'
    expect(levelsOf('domain', honest)).toEqual(all('low', honest))
  })

  test('are low among the words of an honest firm, and inside longer words', () => {
    const names =
      'steuerberater-hofreiter.de paketshop-lindenplatz.de rechnungswesen-lernen.de buchhaltung-meissner.com taxi-rechberger.com ' +
      'kontorhaus-speicherinsel.com zollstock-manufaktur.de haciendasantaclara.com cuentacuentos-infantil.com ' +
      'expert-comptable-vaugirard.fr studio-commercialista-bellandi.it biuro-rachunkowe-wierzba.pl vergilius-kitabevi.com'
    expect(levelsOf('domain', names)).toEqual(all('low', names))
  })
})

describe('a trade of money', () => {
  const NAMES =
    'buchhaltung-meissner.com boekhouding-jansen.nl comptabilite-lefebvre.fr facturacion-mendoza.com rechnungswesen-hofmann.at ' +
    'fakturering-lindqvist.se fakturace-horakova.cz faturacao-ribeiro.pt fatturazione-rossetti.it billing-whitaker.co.uk ' +
    'fatturazione-semplice.it facturation-facile.fr facturacion-sencilla.com boekhouding-eenvoudig.nl'
  // Somebody has a site of every such name.
  const others = (names: string) => names.split(' ').map((name) => `${name.split(/[-.]/)[1]}.net`)
  const scorerBeside = (sites: readonly string[]) =>
    createScorer(
      memorySnapshot({ domains: Object.fromEntries(sites.map((site) => [site, ['popular_1m']])) }),
      testModels(),
    )

  test('in front of its owner, or of its merit, is the name of a firm', () => {
    expect(levelsOf('domain', NAMES, scorerBeside(others(NAMES)))).toEqual(all('low', NAMES))
  })

  test('is high beside the name of a firm, or behind a name, as of its department', () => {
    const names = 'buchhaltung-viessmann.com viessmann-buchhaltung.com meissner-buchhaltung.com meissner-rechnung.com'
    const scorer = scorerBeside(['viessmann.net', 'meissner.net'])
    expect(levelsOf('domain', names, scorer)).toEqual(all('high', names))
  })

  test('and a word that is a little known site, amid other words, imitates nobody', () => {
    const names = 'seguridad-social-manuales.es manual-facturacion-talleres.es'
    const scorer = scorerBeside(['manuales.mx', 'talleres.net'])
    expect(levelsOf('domain', names, scorer)).toEqual(all('low', names))
  })
})

describe('a free mailbox', () => {
  test('with a known name or an institution beside a service or money is high', () => {
    const addresses =
      'paypal.resolution.center@hotmail.com accounts.payable.siemensenergy@gmail.com finanzamt.steuererstattung@gmx.de ' +
      'apple.support.case@gmail.com schneider.electric.ap@gmail.com saint.gobain.facturation@gmail.com ' +
      'agenzia.entrate.rimborsi@gmail.com urzad.skarbowy.zwrot@gmail.com skatteverket.aterbaring@gmail.com'
    expect(levelsOf('email', addresses)).toEqual(all('high', addresses))
  })

  test('with a role of money is medium', () => {
    const addresses =
      'unclaimed.funds.dept@gmail.com tax.refund.office@outlook.com zahlungsabteilung.ausland@outlook.com oddeleni.plateb@gmail.com ' +
      'afdeling.betalingen@hotmail.nl odeme.departmani@gmail.com departamento.de.pagos@outlook.es'
    expect(levelsOf('email', addresses)).toEqual(all('medium', addresses))
  })

  test('of a person, a fan or a small firm is low', () => {
    const addresses =
      'joes.plumbing@gmail.com buchhaltung.mueller@gmx.de annegret.hollerbach@web.de facturation.garrec@gmail.com ' +
      'john.case@gmail.com rolls.royce.john@gmail.com ' +
      'fanclub.eintracht.rheingau@gmx.de dane.plata@gmail.com taxi.bergmann@gmx.net energy.healing.maria@gmail.com'
    expect(levelsOf('email', addresses)).toEqual(all('low', addresses))
  })
})
