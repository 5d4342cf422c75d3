/** Every type of event, once: its meaning, its data, its sentence, and the right that it needs. */
import Type, { type Static, type TObject, type TProperties } from 'typebox'
import { invoiceName, pounds } from '../lib/money-text.ts'

const text = (description: string, sample: string) => Type.String({ description, examples: [sample] })
const pence = (description: string, sample: number) => Type.Integer({ description, examples: [sample] })
const oneOf = <const T extends string>(...words: readonly T[]) => Type.Unsafe<T>({ type: 'string', enum: [...words] })

interface Definition<Fields extends TProperties> {
  readonly about: string
  readonly fields: Fields
  /** One sentence for people. It is stored with the event as `summary`. */
  readonly says: (data: Static<TObject<Fields>>) => string
  /** True if reading it also needs `billing:read`. */
  readonly money: boolean
}

const event = <Fields extends TProperties>(
  about: string,
  fields: Fields,
  says: Definition<Fields>['says'],
): Definition<Fields> => ({ about, fields, says, money: false })

const money = <Fields extends TProperties>(about: string, fields: Fields, says: Definition<Fields>['says']) => ({
  ...event(about, fields, says),
  money: true,
})

const check = {
  check_id: text('The kept check.', 'chk_3bCdEfGhIjKlMnOpQrSt'),
  kind: oneOf('email', 'domain', 'ip'),
  risk: oneOf('low', 'medium', 'high'),
}
const KINDS_IN_WORDS = { email: 'an email address', domain: 'a domain', ip: 'an IP address' }
const checkInWords = ({ kind, risk }: { kind: keyof typeof KINDS_IN_WORDS; risk: string }) =>
  `The check of ${KINDS_IN_WORDS[kind]} with ${risk} risk`

const invoice = {
  invoice_id: text('The invoice.', 'bil_3bCdEfGhIjKlMnOpQrSt'),
  number: text('Its number.', '1007'),
  total_pence: pence('Its total.', 12_000),
}
const dueAt = Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
  description: 'When it is due; null if it is paid in advance.',
  examples: ['2026-04-15T00:00:00.000Z'],
})

const member = {
  member_id: text('The person.', 'usr_3bCdEfGhIjKlMnOpQrSt'),
  name: text('Their name.', 'Jane Smith'),
  role: text('Their role.', 'developer'),
}

const day = (isoTime: string) => isoTime.slice(0, 10)

export const EVENTS = {
  'check.decided': event(
    'Somebody decided on a kept check',
    { ...check, decision: Type.Optional(text('The decision.', 'approved')) },
    (data) => `${checkInWords(data)} was decided${data.decision ? `: ${data.decision.replaceAll('_', ' ')}` : ''}.`,
  ),
  'check.review': event(
    'A kept check waits for a review, or was assigned to somebody',
    {
      ...check,
      assigned_to: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      others: Type.Optional(
        Type.Integer({ description: 'Of a list: how many more of its records wait for a review.' }),
      ),
    },
    ({ assigned_to, others, ...data }) =>
      others
        ? `${others + 1} records of a list wait for a review. ${checkInWords(data)} is the first.`
        : `${checkInWords(data)} waits for a review${assigned_to ? ' by an assigned person' : ''}.`,
  ),
  'alert.reached': money(
    'A billing alert was reached',
    {
      alert_id: text('The alert.', 'alr_3bCdEfGhIjKlMnOpQrSt'),
      alert: oneOf('credit_below', 'overage_above'),
      threshold_pence: pence('The threshold of the alert.', 2000),
      present_pence: pence('The current amount.', 1850),
    },
    ({ alert, threshold_pence: threshold, present_pence: present }) =>
      alert === 'credit_below'
        ? `The credit is ${pounds(present)}, below the alert at ${pounds(threshold)}.`
        : `The overage of this month is ${pounds(present)}, above the alert at ${pounds(threshold)}.`,
  ),
  'invoice.issued': money(
    'An invoice was issued',
    { ...invoice, due_at: dueAt },
    ({ number, total_pence, due_at }) =>
      `Invoice ${invoiceName(number)} over ${pounds(total_pence)} was issued${due_at === null ? '' : `. It is due on ${day(due_at)}`}.`,
  ),
  'invoice.overdue': money(
    'An invoice was not paid in time',
    { ...invoice, due_at: dueAt },
    ({ number, total_pence }) => `Invoice ${invoiceName(number)} over ${pounds(total_pence)} is overdue.`,
  ),
  'invoice.paid': money(
    'An invoice was paid',
    invoice,
    ({ number, total_pence }) => `Invoice ${invoiceName(number)} over ${pounds(total_pence)} was paid.`,
  ),
  'credit.low': money(
    'The credit pays for fewer than a hundred checks, and checks are refused after it; at most once a month',
    { credit_pence: pence('The remaining credit.', 180) },
    ({ credit_pence: credit }) => `The credit is ${pounds(credit)}: enough for fewer than a hundred checks.`,
  ),
  'key.expiring': event(
    'An API key expires in 14 days, or in 1 day',
    {
      key_id: text('The key.', 'key_3bCdEfGhIjKlMnOpQrSt'),
      name: text('Its name.', 'Payments'),
      expires_at: text('When it expires.', '2026-04-15T00:00:00.000Z'),
    },
    ({ name, expires_at }) => `The API key “${name}” expires on ${day(expires_at)}.`,
  ),
  'member.joined': event('A member joined', member, ({ name, role }) => `${name} joined as ${role}.`),
  'member.left': event('A member left or was removed', member, ({ name }) => `${name} is no longer a member.`),
  'webhook.disabled': event(
    'A webhook was disabled after failures',
    {
      webhook_id: text('The webhook.', 'whk_3bCdEfGhIjKlMnOpQrSt'),
      host: text('The host that it calls.', 'hooks.company.example'),
      reason: text('Why it was disabled.', 'Nothing could be delivered for 5 days.'),
    },
    ({ host, reason }) => `The webhook to ${host} was disabled. ${reason}`,
  ),
} as const

/** An event of a person: only that person learns of it, by mail and in the inbox. It is in no organisation's events. */
export const PERSONAL_EVENTS = {
  'sign_in.new_place': event(
    'Somebody signed in to the account from a new browser',
    {
      ip: text('The address.', '203.0.113.7'),
      place: Type.Union([Type.String(), Type.Null()], { description: 'The place, if it is known.' }),
      device: text('The browser.', 'Firefox on Linux'),
    },
    ({ ip, place, device }) => `A new sign-in to your account: ${device}, from ${place ?? ip}.`,
  ),
  'invitation.asked': event(
    'The addressee of an ended invitation asks for a new one',
    {
      organisation_id: text('The organisation.', 'org_3bCdEfGhIjKlMnOpQrSt'),
      organisation: text('Its name.', 'Example Ltd'),
      email: text('The address of the invitation.', 'sam@company.example'),
      role: text('The role of the invitation.', 'developer'),
    },
    ({ organisation, email, role }) => `${email} asks for a new invitation to ${organisation} as ${role}.`,
  ),
} as const

export type EventType = keyof typeof EVENTS
export type PersonalEventType = keyof typeof PERSONAL_EVENTS
type Tables = typeof EVENTS & typeof PERSONAL_EVENTS
export type DataOf<T extends keyof Tables> = Static<TObject<Tables[T]['fields']>>

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[]
export const MONEY_EVENTS: ReadonlySet<string> = new Set(EVENT_TYPES.filter((type) => EVENTS[type].money))

export function summaryOf<T extends keyof Tables>(type: T, data: DataOf<T>): string {
  const table: Readonly<Record<string, { readonly says: (data: never) => string }>> = { ...EVENTS, ...PERSONAL_EVENTS }
  return table[type]!.says(data as never)
}
