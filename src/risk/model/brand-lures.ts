import { TextMap } from './text-map.ts'

/**
 * Words that stand beside a brand in a name, by what they say. Beside a brand nobody else is called, any of them is
 * telling; beside a brand that is also a word, only those that make sense with the brand.
 */
export type Lure =
  /** Asks for a secret, presses, or promises money: login, verify, refund. */
  | 'pressing'
  /** What a company's own departments are called: support, service, customers. */
  | 'business'
  /** What an honest dealer or fan may add too: shop, online, app. */
  | 'weak'
  /** What a company's own further names end in: group, corp, careers. */
  | 'own'
  /** Where a company may have a branch: uk, germany. */
  | 'country'

/** In which trade a brand is: the letter that brands.txt gives it. */
export type Trade = 'm' | 's' | 'b' | 'c' | 'p' | 't' | 'g' | 'i' | ''

const PRESSING = words(`
  login logins logon signin signon loginpage verify verified verification verif verifica validate validation confirm
  confirmation confirmed auth authenticate authentication authenticator authorize authorized authorise account accounts
  acct secure secured security secur password pwd passcode otp 2fa mfa kyc sso unlock unblock locked blocked suspended
  suspend suspension restricted restore recovery recover reset reactivate reactivation activate activation
  billing bill bills invoice invoices invoicing payment payments payout refund refunds rebate claim claims reward
  rewards bonus giftcard giftcards prize airdrop airdrops update updates updated upgrade renew renewal alert alerts
  notice notification notifications identity session token unpaid overdue fee fees redelivery redeliver reschedule
  rescheduled rescheduling undelivered customs remittance case appeal appeals dispute violation copyright compensation
  webmail voicemail hadiah giveaway unusual fraud warning urgent resolution resolve remediation membership subscription
  sicherheit anmeldung anmelden kundenkonto konto rechnung rechnungen zahlung bestaetigung verifizierung
  verifizieren aktualisierung aktualisieren sperrung entsperren freischalten legitimation mahnung zoll rueckerstattung
  connexion securite facture factures paiement remboursement compte espaceclient authentification verification
  confirmer amende amendes seguridad acceso cuenta factura pago pagos verificar verificacion ingresar reembolso
  aduana aduanas multa multas seguranca acesso fatura conta pagamento atualizacao
  accesso accedi sicurezza conto fattura pagamenti aggiornamento rimborso dogana
  inloggen beveiliging betaling rekening verificatie boete logowanie platnosc platnosci faktura doplata weryfikacja
  failed declined review cadastro vernieuwen gewinnspiel gewinn gutschein sorteo premio bloqueo bloqueada desbloqueo
  actualizar actualizacion renouvellement renovar verlaengern miseajour sperre freigabe umstellung bloccato aggiorna
  bezpieczenstwo incidencia incidencias www http https giris dogrulama odeme guncelleme masuk verifikasi
`)

const BUSINESS = words(`
  support supports suporte soporte assistance help helpdesk helpcenter helpline desk service services servicing
  customer customers customerservice client clients member members user users care center centre contact portal access
  connect manage manager management admin administrator finance financial bank banking wallet wallets card cards credit
  transfer transfers delivery deliver deliveries parcel parcels package packages tracking track tracker shipment
  shipping shipments postal order orders purchase checkout pay paid payroll gift promo document documents share shared
  notify department dept office365 download install installer id transaction transactions statement statements deposit
  find locate lost device devices accounting hr ceo profile settings page pages recovery business
  kundenservice kundendienst kundencenter kunden paket pakete sendung sendungen lieferung zustellung abholung
  colis livraison suivi client clients cliente clientes entrega envio envios paquete encomenda clienti spedizione
  consegna pacco klant klanten pakket bezorging paczka przesylka atendimento destek hilfe aide ayuda ajuda servizio
  servicio
`)

const WEAK = words(`
  info mail email office online web my shop store app apps live now new official real mobile net com org team log
  post docs doc code sign drive file files
`)

const OWN = words('global international group inc ltd corp')

const COUNTRIES = words('usa us uk eu de fr es it')

// Too common in names of people to tell anything beside a brand in a mailbox.
const WEAK_IN_DOMAINS = words(`
  co io the get go try site website cloud digital direct plus pro hub zone world one best top vip free deals deal sale
  sales outlet
`)

const OWN_IN_DOMAINS = words(`
  limited llc corporation gmbh holding holdings company careers jobs news newsroom press media foundation ventures
  capital labs research partners intl
`)

const COUNTRIES_IN_DOMAINS = words(`
  en nl be ch at ca au jp cn in br mx pl se no dk fi ie nz za sg hk ae tr germany france spain italy ireland india china
  japan canada australia brasil brazil mexico deutschland espana italia europe asia africa america
`)

const SECRETS: ReadonlySet<string> = new Set(
  words(`
    login logins logon signin signon verify verification validate authenticate authentication password passcode otp 2fa
    mfa kyc sso unlock locked blocked suspended restricted reactivate airdrop refund refunds giftcard giftcards appeal
    redelivery reschedule unpaid anmelden anmeldung verifizierung verifizieren connexion ingresar inloggen
    logowanie accedi giris
  `),
)

/** Words that only make sense beside a brand of that trade. Beside `ledger`, wallet means the wallet. */
const FITTING: Readonly<Record<Exclude<Trade, ''>, ReadonlySet<string>>> = {
  m: new Set(
    words(`
    id mail email webmail mailbox cloud support help helpdesk admin login account accounts password 365 office365 teams
    outlook inbox sharefile meeting meetings invite envelope pdf viewer view iphone ipad find findmy lost device devices storage onedrive sharepoint icloud signin
  `),
  ),
  s: new Set(
    words(`
    gift giftcard gifts prime order orders membership subscription account accounts badge copyright appeal ads follow
    followers community trade skins skin nitro premium verified reservation reservations guest host seller sellers
    login help refund stream trip delivery dostawa livraison envio entrega
  `),
  ),
  b: new Set(
    words(`
    bank banking card cards credit debit online netbanking ebanking wallet transfer pay payment payments loan loans
    mobilebanking fraud branch account accounts login secure mortgage banco banque
    tan pushtan phototan smstan securego
  `),
  ),
  c: new Set(
    words(`
    wallet wallets crypto token tokens airdrop swap bridge stake staking connect live web3 dapp dapps defi nft mint
    exchange start suite extension secure restore seed phrase sync claim io hardware nano login trade trading rewards coin
  `),
  ),
  p: new Set(
    words(`
    parcel parcels package packages delivery deliver deliveries tracking track tracker trace shipment shipping fee fees
    customs duty redelivery redeliver reschedule rescheduling post postal express paket pakete sendung lieferung
    zustellung abholung zoll packstation colis suivi livraison envio envios aduana aduanas paquete pacco spedizione
    consegna dogana pakket bezorging paczka przesylka dostawa leverans sendungsverfolgung pickup depot courier postage
  `),
  ),
  t: new Set(
    words(`
    mobile bill bills facture factures rechnung broadband internet sim topup tarif email mail phone account accounts
    login energy refund
  `),
  ),
  g: new Set(
    words(`
    tax taxes refund refunds rebate gov benefit benefits payment claim covid vehicle penalty fine fines toll amende
    amendes remboursement carte vitale account login stimulus
  `),
  ),
  i: new Set(),
}

const BY_WORD = new TextMap<Lure>([
  ...[...COUNTRIES, ...COUNTRIES_IN_DOMAINS].map((word) => [word, 'country'] as const),
  ...[...OWN, ...OWN_IN_DOMAINS].map((word) => [word, 'own'] as const),
  ...[...WEAK, ...WEAK_IN_DOMAINS].map((word) => [word, 'weak'] as const),
  ...BUSINESS.map((word) => [word, 'business'] as const),
  ...PRESSING.map((word) => [word, 'pressing'] as const),
])

export function lureOf(word: string): Lure | undefined {
  return BY_WORD.get(word)
}

/** Whether the word makes sense beside a brand of this trade above all. */
export function fits(word: string, trade: Trade): boolean {
  return trade !== '' && FITTING[trade].has(word)
}

/** Whether the word asks for a secret or speaks of a customer's own case: it makes sense beside the name of a site alone. */
export function asksForSecret(word: string): boolean {
  return SECRETS.has(word)
}

/** Whether the word fits some trade: such words are lures wherever a brand of that trade stands beside them. */
export function isFitting(word: string): boolean {
  return FITTING_ANYWHERE.has(word)
}

const FITTING_ANYWHERE: ReadonlySet<string> = new Set(Object.values(FITTING).flatMap((set) => [...set]))

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
