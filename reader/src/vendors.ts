import type { CounterpartyRow, ImportOptions } from '@assay/sdk'
import { byTitle, NO_VALUE } from './columns.ts'
import { type Row, SEPARATORS } from './csv.ts'
import { DOTTED_DAY, dayOfDotted } from './day.ts'
import { findIndicators } from './find.ts'
import { type Indicator, isIndicator } from './indicator.ts'
import { readRows, type Source } from './list.ts'
import { ListProblem } from './problem.ts'
import { recognise } from './recognise.ts'

/** A vendor master: the list of suppliers as an accounting system writes it, read into counterparties. */

export interface VendorColumn {
  readonly title: string
  readonly role: Role | undefined
}

export interface VendorTable {
  readonly columns: readonly VendorColumn[]
  readonly rows: readonly Row[]
  readonly notes: readonly string[]
  readonly separator?: string | undefined
  readonly sheets?: readonly string[]
  readonly sheet?: string
}

/** The possible contents of a column, and its titles. UK and US accounts have two columns, which become one account. */
const ROLE_TITLES = {
  name: 'name|vendor|vendor name|supplier|supplier name|company|company name|creditor|creditor name|payee|counterparty|lieferant|lieferantenname|kreditor|kreditorname|firma|firmenname|fournisseur|nom|nom du fournisseur|raison sociale|proveedor|nombre|razón social|fornitore|ragione sociale|denominazione',
  reference:
    'reference|ref|id|no|number|vendor id|vendor no|vendor number|vendor code|supplier id|supplier no|supplier number|supplier code|creditor number|creditor no|lieferantennummer|lieferanten nr|lieferantennr|lieferant nr|kreditorennummer|kreditoren nr|kreditorennr|kreditor nr|nummer|nr|code fournisseur|numéro fournisseur|n° fournisseur|code|código|código proveedor|codice|codice fornitore',
  domains:
    'domain|domains|website|web site|web|site|url|homepage|www|webseite|internet|internetseite|site web|sitio web|dominio|sito|sito web',
  emails:
    'email|emails|e mail|e mails|mail|email address|e mail address|e mail adresse|email adresse|contact email|remittance email|rechnungs e mail|courriel|adresse e mail|correo|correo electrónico|indirizzo e mail|pec',
  networks: 'ip|ips|ip address|ip addresses|network|networks|ip adresse|netz|netzwerk|adresse ip|dirección ip',
  accounts:
    'iban|ibans|account|accounts|bank account|bank accounts|bankkonto|bankverbindung|compte bancaire|cuenta|conto',
  sort_code: 'sort code|sortcode|bank sort code',
  routing_number: 'routing number|routing no|routing|aba|aba number|aba routing number',
  account_number: 'account number|account no|bank account number|bank account no|acct no|acct number',
  since:
    'since|known since|supplier since|created|created on|created at|creation date|date created|angelegt|angelegt am|anlagedatum|seit|lieferant seit|kreditor seit|kunde seit|vendor since|customer since|depuis|client depuis|fournisseur depuis|date de création|desde|dal',
  note: 'note|notes|remark|remarks|comment|comments|bemerkung|bemerkungen|notiz|hinweis|remarque|commentaire|nota|notas',
  state: 'state|status|blocked|gesperrt|sperre|sperrkennzeichen|statut|bloqué|estado|stato',
}
export type Role = keyof typeof ROLE_TITLES
export const ROLES = Object.keys(ROLE_TITLES) as Role[]

const TITLES = byTitle(ROLE_TITLES)

/** `E-Mail 2:`, `e_mail` and Xero's `*EMail` are the same title. */
const plainTitle = (title: string): string =>
  title
    .normalize('NFC')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .replace(/\(.*?\)/g, ' ')
    .replace(/[_\-./:*#]+/g, ' ')
    .replace(/(?<=\p{L})\s*\d{1,2}\s*$/u, '')
    .replace(/\s+/g, ' ')
    .trim()

export const roleOfTitle = (title: string): Role | undefined => TITLES.get(plainTitle(title))

/** Titles are searched in this many rows: an accounting system writes its name and the date above them. */
const HEAD_ROWS = 20
const SAMPLE_ROWS = 200

/** Reads a file and guesses its columns. Rejects with a ListProblem. */
export async function readVendors(
  source: string | Uint8Array | Source,
  options: { readonly sheet?: string | undefined } = {},
): Promise<VendorTable> {
  const { rows, notes, ...sheets } = await readRows(source, { ...options, isTableOnly: true })
  if (rows.length === 0) throw new ListProblem('This list is empty.')
  const heads = rows.slice(0, HEAD_ROWS).map(({ cells }) => cells.filter((cell) => roleOfTitle(cell)).length)
  const most = Math.max(...heads)
  const titlesAt = most > 0 ? heads.indexOf(most) : looksLikeTitles(rows) ? 0 : -1
  const body = rows.slice(titlesAt + 1)
  if (body.every(({ cells }) => cells.every((cell) => cell.trim() === ''))) {
    throw new ListProblem('This list has titles and no rows below them.')
  }
  const width = body.slice(0, SAMPLE_ROWS).reduce((widest, { cells }) => Math.max(widest, cells.length), 0)
  const titles = rows[titlesAt]?.cells ?? []
  const columns = Array.from({ length: Math.max(width, titles.length) }, (_, at): VendorColumn => {
    const title = titles[at]?.trim() || `Column ${at + 1}`
    return { title, role: roleOfTitle(titles[at] ?? '') }
  })
  const above =
    titlesAt > 0
      ? [`The titles are in line ${rows[titlesAt]?.line}; the lines above were left out.`]
      : most === 0 && titlesAt === 0
        ? ['The first line was taken for titles.']
        : []
  return { columns: guessed(columns, body), rows: body, notes: [...notes, ...above], ...sheets }
}

/** Words alone, where others follow. */
const looksLikeTitles = ([first, ...others]: readonly Row[]): boolean =>
  others.length > 0 && first!.cells.every((cell) => /^(?:\p{L}[\p{L}\s_/()#-]*)?$/u.test(cell.trim()))

/** Only one column can be the name, the number, the note and so on: the first. Addresses are found without a title. */
function guessed(columns: readonly VendorColumn[], rows: readonly Row[]): VendorColumn[] {
  const sample = rows.slice(0, SAMPLE_ROWS)
  const mostly = (at: number, holds: (cell: string) => boolean) => {
    const filled = sample.map(({ cells }) => cells[at]?.trim() ?? '').filter((cell) => cell !== '')
    return filled.length > 0 && filled.filter(holds).length * 2 > filled.length
  }
  // In an export of SAP, “Kreditor” is a number.
  const read = columns.map(({ title, role }, at): VendorColumn => {
    const isNumber = role === 'name' && mostly(at, (cell) => /^[A-Z]{0,3}[- ]?\d+$/i.test(cell))
    // The `State` of an address, and an `Account Number` that is the supplier's number.
    const isOther =
      (role === 'state' &&
        mostly(at, (cell) => /^[A-Z]{2,3}$/.test(cell) && !STATES.some(([, is]) => is.test(cell)))) ||
      (role === 'account_number' && mostly(at, (cell) => cell.replace(/\D/g, '').length < 4))
    return { title, role: isNumber ? 'reference' : isOther ? undefined : role }
  })
  return read.map(({ title, role: guess }, at) => {
    const isRepeated = read.slice(0, at).some((other) => other.role === guess)
    const role = isRepeated && !isList(guess) ? undefined : guess
    if (role) return { title, role }
    if (mostly(at, (cell) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell))) return { title, role: 'emails' }
    if (mostly(at, (cell) => /^[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,30}$/.test(cell))) return { title, role: 'accounts' }
    return { title, role }
  })
}

const LIST_ROLES: ReadonlySet<Role | undefined> = new Set(['domains', 'emails', 'networks', 'accounts'])
const isList = (role: Role | undefined) => LIST_ROLES.has(role)

/** The field of the API that a role belongs to. */
function fieldOf(role: Role) {
  return role === 'sort_code' || role === 'routing_number' || role === 'account_number' ? 'accounts' : role
}

/** The columns and the form of a file, for the API: an export has the same. */
export function aboutFile({ columns, rows, separator }: Omit<VendorTable, 'notes'>) {
  const since = columns.findIndex(({ role }) => role === 'since')
  const isDotted = rows.some(({ cells }) => DOTTED_DAY.test(cells[since]?.trim() ?? ''))
  const known = SEPARATORS.find((one) => one === separator)
  return {
    columns: columns.map(({ title, role }) => ({ title: title.slice(0, 200), field: role ? fieldOf(role) : null })),
    format: { ...(known && { separator: known }), ...(isDotted && { days: 'dd.mm.yyyy' }) },
  } satisfies ImportOptions
}

/** The rows with any content, for the API: fields without a column are absent. Needs a column with the name. */
export function vendorRows({ columns, rows }: Pick<VendorTable, 'columns' | 'rows'>): CounterpartyRow[] {
  if (!columns.some(({ role }) => role === 'name')) {
    throw new ListProblem('No column has the names of the counterparties.')
  }
  return rows.flatMap((row) => {
    const read = vendorRow(columns, row)
    const { row: _row, ...content } = read
    return Object.values(content).every((value) => value?.length === 0) ? [] : [read]
  })
}

function vendorRow(columns: readonly VendorColumn[], { line, cells }: Row): CounterpartyRow {
  const has = (role: Role) => columns.some((column) => column.role === role)
  const all = (role: Role) =>
    columns
      .flatMap((column, at) => (column.role === role ? (cells[at]?.trim() ?? '') : []))
      .filter((cell) => cell !== '')
  const text = (role: 'name' | 'reference' | 'note') => (has(role) ? { [role]: all(role)[0] ?? '' } : {})
  const values = (role: Role) => all(role).filter((cell) => !NO_VALUE.test(cell))
  const domains = values('domains').flatMap(domainsIn)
  const hasAccounts = has('accounts') || has('account_number')
  const state = all('state').map(stateOf)[0]
  return {
    row: line,
    ...text('name'),
    ...text('reference'),
    // An empty cell leaves the domains to the addresses, and to what is known.
    ...(domains.length > 0 ? { domains } : {}),
    ...(has('emails') ? { emails: values('emails').flatMap(addressesIn) } : {}),
    ...(has('networks') ? { networks: values('networks').flatMap((cell) => cell.split(/[\s;,|]+/)) } : {}),
    ...(hasAccounts ? { accounts: accountsIn(values) } : {}),
    ...(has('since') ? { since: values('since').map(sinceOf)[0] ?? '' } : {}),
    ...text('note'),
    ...(state === undefined ? {} : { state }),
  }
}

function indicatorsIn(cell: string): Indicator[] {
  const one = recognise(cell)
  if (isIndicator(one) && !/[,;|\n]/.test(cell)) return [one]
  const found = cell.split(/[,;|\n]+/).map((part) => recognise(part))
  return found.every(isIndicator) ? found : findIndicators(cell)
}

/** Names and links of sites; a text without any is sent as it is, so that the service names the row. */
function domainsIn(cell: string): string[] {
  const found = indicatorsIn(cell).flatMap(({ kind, value }) => {
    if (kind === 'ip') return []
    return kind === 'email' ? value.slice(value.lastIndexOf('@') + 1) : value.replace(/^www\.(?=.+\.)/, '')
  })
  return found.length > 0 ? [...new Set(found)] : [cell]
}

function addressesIn(cell: string): string[] {
  const found = indicatorsIn(cell).flatMap(({ kind, value }) => (kind === 'email' ? value : []))
  return found.length > 0 ? found : [cell]
}

const MASKED = /^(?:…|\.{2,}|[*•xX]{2,})\s*[A-Za-z\d]{4}$/

function accountsIn(all: (role: Role) => string[]): string[] {
  const whole = all('accounts').flatMap((cell) => cell.split(/[;|\n]+/).map((part) => part.trim()))
  const [bank] = [...all('sort_code'), ...all('routing_number')]
  const [number] = all('account_number')
  // A routing number that a spreadsheet took for a number has lost its zeros.
  const padded = all('sort_code').length > 0 ? bank?.padStart(6, '0') : bank?.padStart(9, '0')
  const parts = [bank, number].filter((part) => part !== undefined)
  const masked = parts.filter((part) => MASKED.test(part))
  const joined = masked.length > 0 ? masked : parts.length === 2 ? [`${padded} ${number}`] : parts
  return [...whole, ...joined].filter((part) => part !== '')
}

/** A day in the form of the API; of other forms the year, because nobody knows whether 01/02 is in January. */
function sinceOf(cell: string): string {
  return (
    dayOfDotted(cell) ?? /^\d{4}-\d{2}-\d{2}/.exec(cell)?.[0] ?? /(?<!\d)(?:19|20)\d{2}(?!\d)/.exec(cell)?.[0] ?? cell
  )
}

const STATES: readonly (readonly [state: string, words: RegExp])[] = [
  ['active', /^(?:active|aktiv|actif|activo|attivo|open|ok|no|nein|non|false|0)$/i],
  ['former', /^(?:former|inactive|inaktiv|inactif|inactivo|inattivo|closed|ended|ehemalig|archived|deleted)$/i],
  ['blocked', /^(?:blocked|locked|gesperrt|bloqué|bloqueado|bloccato|x|yes|ja|oui|sí|true|1)$/i],
]

const stateOf = (cell: string): string => STATES.find(([, words]) => words.test(cell))?.[0] ?? cell
