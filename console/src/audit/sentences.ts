/**
 * The audit log in sentences: who did what. There is one sentence for every action that the server records; an action
 * without one does not compile. Names are untrusted text, so each is a separate part and is isolated in the page.
 */
import type { AUDIT_ACTIONS, Operations } from '@assay/sdk'
import { invoiceName, moment, money } from '../shell/format.ts'
import { type Part, say } from '../shell/words.ts'

export type AuditEntry = Operations['GET /v1/organisation/audit']['response']['data'][number]
export type AuditAction = keyof typeof AUDIT_ACTIONS

type Detail = Readonly<Record<string, unknown>>
type Predicate = (detail: Detail, entry: AuditEntry) => readonly Part[]

const isRecord = (value: unknown): value is Detail => typeof value === 'object' && value !== null
const record = (value: unknown): Detail => (isRecord(value) ? value : {})
const text = (value: unknown, otherwise: string) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise
const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
const pence = (value: unknown) => (typeof value === 'number' ? money(value) : 'an amount')
const time = (value: unknown) => (typeof value === 'string' ? moment(value) : 'no date')
const words = (value: unknown) => text(value, 'unknown').replaceAll('_', ' ')

/** The name of the thing; its id in entries from before names were stored. */
const named = (detail: Detail, { target_id }: AuditEntry) => text(detail.name, target_id ?? 'without a name')
const invoice = ({ number }: Detail) =>
  number === undefined ? 'without a number' : invoiceName({ number: text(number, '') })
const erasedThing = ({ name }: Detail) => (name === undefined ? 'the organisation' : `the account of ${text(name, '')}`)
const isSelf = ({ actor, target_id }: AuditEntry) => actor.id === target_id

const factorWords = (detail: Detail) =>
  detail.factor === 'one_time_codes'
    ? 'one-time codes'
    : detail.factor === 'all'
      ? `every second factor of ${text(detail.name, 'a member')}`
      : `the passkey “${text(detail.label, 'without a name')}”`

/** Entries about people name only the domain of the address. */
const listedWords = (detail: Detail) =>
  typeof detail.at === 'string' ? `an address at ${detail.at}` : text(detail.indicator, 'an entry')
const listed = (names: readonly string[]) => names.join(', ')
const scopeWords = (scopes: readonly string[]) => (scopes.length === 1 ? 'the scope' : 'the scopes')

function differences(from: Detail, to: Detail, thing: string): readonly Part[] {
  const name = text(to.name, text(from.name, 'without a name'))
  const [before, after] = [texts(from.scopes), texts(to.scopes)]
  const given = after.filter((scope) => !before.includes(scope))
  const taken = before.filter((scope) => !after.includes(scope))
  const it = say`the ${thing} “${name}”`
  const differs = (...fields: readonly string[]) => fields.some((field) => String(from[field]) !== String(to[field]))
  const clauses: readonly (readonly Part[])[] = [
    given.length > 0 && ['gave ', ...it, ` ${scopeWords(given)} `, { name: listed(given) }],
    taken.length > 0 && [`took ${scopeWords(taken)} `, { name: listed(taken) }, ' from ', ...it],
    differs('name') && say`renamed the ${thing} “${text(from.name, '')}” to “${name}”`,
    differs('state') && [to.state === 'disabled' ? 'disabled ' : 'enabled ', ...it],
    differs('expires_at') &&
      (typeof to.expires_at === 'string'
        ? ['set ', ...it, ...say` to expire on ${time(to.expires_at)}`]
        : ['removed the expiry of ', ...it]),
    differs('redirect_uris', 'logout_uris') && ['changed the addresses of ', ...it],
    differs('jwks_digest', 'jwks_uri') && ['changed the keys of ', ...it],
    differs('id_token_signed_response_alg') && [
      'had ID tokens for ',
      ...it,
      ...say` signed by ${words(to.id_token_signed_response_alg)}`,
    ],
    typeof from.former_secret_expires_at === 'string' &&
      to.former_secret_expires_at === null && ['ended the former secret of ', ...it],
  ].filter((clause) => clause !== false)
  if (clauses.length === 0) return ['saved ', ...it, ' without changes']
  return clauses.flatMap((clause, i) => (i === 0 ? clause : [i === clauses.length - 1 ? ' and ' : ', ', ...clause]))
}

const changed =
  (thing: string): Predicate =>
  (detail) =>
    differences(record(detail.from), record(detail.to), thing)

const REASONS: Readonly<Record<string, string>> = {
  disabled: 'the operator disabled it',
  awaiting_approval: 'it waits for the approval of the operator',
  overdue: 'an invoice is overdue',
  disputed: 'a payment is disputed',
  deactivated: 'the operator ended the subscription',
  ended: 'the subscription has ended',
  first_payment: 'the first invoice is not paid',
}
const because = ({ reason }: Detail) => (typeof reason === 'string' ? `: ${REASONS[reason] ?? words(reason)}` : '')

const alertWords = ({ kind, threshold_pence }: Detail) =>
  `${kind === 'overage_above' ? 'overage above' : 'credit below'} ${pence(threshold_pence)}`

/** With the operator's terms, where the change accepted them. */
function withTerms(said: readonly Part[], { terms_accepted: accepted }: Detail): readonly Part[] {
  const { version } = record(accepted)
  return version === undefined ? said : [...said, ...say` and accepted the terms of version ${text(version, '')}`]
}

export const SENTENCES: Readonly<Record<AuditAction, Predicate>> = {
  'ledger.archive': () => ['archived a month of the ledger'],
  'ledger.restore': () => ['accepted that the database was restored from a backup'],
  'maintenance.begin': () => ['closed the service for maintenance'],
  'maintenance.end': () => ['opened the service again'],
  'oauth.rotate_keys': () => ['created a new key that signs ID tokens'],
  'backup.create': () => ['created a backup of the database'],
  'backup.restore': () => ['restored the database from a backup'],
  'receipts.rotate_key': () => ['created a new key that signs receipts'],
  'secret.rotate': () => ['started to replace the secret of the server'],
  'secret.finish': () => ['removed the former secret of the server'],
  'organisation.create': (detail) =>
    say`created the organisation “${text(detail.name, '')}” on the plan ${words(detail.plan)}`,
  'organisation.update': (detail) => {
    const { from, to } = record(detail.name)
    return say`renamed the organisation from “${text(from, '')}” to “${text(to, '')}”`
  },
  'organisation.disable': () => ['disabled the organisation'],
  'organisation.enable': () => ['enabled the organisation again'],
  'organisation.deactivate': () => ['ended the subscription of the organisation'],
  'organisation.activate': () => ['restored the subscription'],
  'organisation.approve': () => ['approved the organisation'],
  'organisation.erase': () => ['erased everything of the organisation'],
  'erasure.ask': (detail) => say`asked to erase ${erasedThing(detail)}`,
  'erasure.cancel': (detail) => say`cancelled the erasure of ${erasedThing(detail)}`,
  'member.join': (detail, entry) =>
    isSelf(entry)
      ? withTerms(say`joined as ${words(detail.role)}`, detail)
      : say`added ${named(detail, entry)} as a member, with the role ${words(detail.role)}`,
  'member.update': (detail, entry) => {
    const { from, to } = record(detail.role)
    return say`changed the role of ${named(detail, entry)} from ${words(from)} to ${words(to)}`
  },
  'member.remove': (detail, entry) =>
    isSelf(entry) ? ['left the organisation'] : say`removed ${named(detail, entry)}, ${words(detail.role)}`,
  'person.disable': (detail, entry) => say`stopped ${named(detail, entry)} from signing in`,
  'person.enable': (detail, entry) => say`let ${named(detail, entry)} sign in again`,
  'person.password': (detail, entry) => say`gave ${named(detail, entry)} a new password`,
  'person.operator': (detail, entry) =>
    detail.operator === false
      ? say`took from ${named(detail, entry)} the right to manage every organisation`
      : say`let ${named(detail, entry)} manage every organisation`,
  'person.rename': (detail) => say`changed the name ${text(detail.from, 'of before')} to ${text(detail.to, 'another')}`,
  'person.email': (detail, entry) =>
    say`changed the email address of ${named(detail, entry)} from ${text(detail.from, 'another')} to ${text(detail.to, 'another')}`,
  'person.delete': (detail, entry) =>
    isSelf(entry) ? ['deleted their account'] : say`deleted the account of ${named(detail, entry)}`,
  'person.verify': () => ['verified their email address'],
  'session.begin': (detail) => [
    `signed in with ${text(detail.how, 'a password')}`,
    detail.new_device === true ? ' in a new browser' : '',
  ],
  'session.fail': (detail, entry) => [
    ...say`failed to sign in as ${named(detail, entry)}`,
    typeof detail.failures === 'number' && detail.failures > 1 ? `, ${detail.failures} times by now` : '',
  ],
  'session.end': (detail, entry) =>
    isSelf(entry) ? ['signed out elsewhere'] : say`signed ${named(detail, entry)} out everywhere`,
  'factor.add': (detail) => say`added ${factorWords(detail)}`,
  'factor.remove': (detail) => say`removed ${factorWords(detail)}`,
  'factor.recovery': (detail) =>
    detail.what === 'used' ? ['signed in with a recovery code'] : ['created new recovery codes'],
  'organisation.second_factor': (detail) =>
    detail.required === false
      ? ['no longer requires a second factor of members']
      : [
          'requires a second factor of every member',
          typeof detail.from === 'string' ? ` from ${moment(detail.from)}` : '',
        ],
  'grant.withdraw': (detail, entry) =>
    typeof detail.member === 'string'
      ? say`withdrew the consent of ${detail.member} to the application “${named(detail, entry)}”`
      : say`withdrew the consent to the application “${named(detail, entry)}”`,
  'grant.reuse': (detail, entry) =>
    say`ended the consent to the application “${named(detail, entry)}”, because its ${words(detail.what ?? 'token')} was used twice`,
  'grant.create': (detail, entry) => say`allowed the application “${named(detail, entry)}” to act for them`,
  'invitation.create': (detail) =>
    detail.email === undefined
      ? say`created an invitation to join as ${words(detail.role)}`
      : say`invited ${words(detail.email)} to join as ${words(detail.role)}`,
  'invitation.ask': (detail) => say`asked for a new invitation for ${words(detail.email)} as ${words(detail.role)}`,
  'invitation.revoke': (detail) =>
    detail.role === undefined
      ? ['withdrew an invitation']
      : say`withdrew an invitation to join as ${words(detail.role)}`,
  'key.create': (detail, entry) => {
    const scopes = texts(detail.scopes)
    return [...say`created the key “${named(detail, entry)}”`, ` with ${scopeWords(scopes)} `, { name: listed(scopes) }]
  },
  'key.update': changed('key'),
  'key.rotate': (detail, entry) => {
    const end =
      detail.grace_hours === 0 ? 'ended immediately' : `works for ${text(detail.grace_hours, 'some')} more hours`
    return [...say`replaced the key “${named(detail, entry)}”`, `; the old one ${end}`]
  },
  'key.revoke': (detail, entry) => say`ended the key “${named(detail, entry)}”`,
  'client.create': (detail, entry) => {
    const scopes = texts(detail.scopes)
    return [
      ...say`registered the application “${named(detail, entry)}”`,
      ...(scopes.length === 0 ? [] : [` with ${scopeWords(scopes)} `, { name: listed(scopes) }]),
    ]
  },
  'client.update': changed('application'),
  'client.rotate_secret': (detail, entry) => [
    ...say`gave the application “${named(detail, entry)}” a new secret`,
    Number(detail.grace_hours) > 0 ? `; the former one works for ${Number(detail.grace_hours)} more hours` : '',
    detail.tokens_ended === true ? '; all its tokens ended' : '',
  ],
  'client.delete': (detail, entry) => say`deleted the application “${named(detail, entry)}”`,
  'checkout.complete': (detail) => withTerms(say`subscribed to the plan ${words(detail.plan)}`, detail),
  'subscription.change': (detail) => [
    ...say`changed the plan from ${words(detail.from)} to ${words(detail.to)}`,
    detail.takes_effect === 'next month' ? ', from next month on' : '',
  ],
  'subscription.end': (detail) =>
    detail.when === 'now'
      ? ['ended the subscription immediately']
      : ['ended the subscription with the end of the month'],
  'subscription.resume': (detail) => say`resumed the plan ${words(detail.to)}`,
  'subscription.given': (detail) => say`started the paid plan ${words(detail.plan)}`,
  'credit.add': (detail) => say`added ${pence(detail.pence)} of credit: ${text(detail.reason, 'no reason given')}`,
  'plan.set': (detail) => say`set the plan from ${words(detail.from)} to ${words(detail.to)}`,
  'limit.set': ({ overage_limit_pence: limit }) =>
    typeof limit === 'number'
      ? say`limited the overage to ${pence(limit)}`
      : ['reset the overage limit to that of the plan'],
  'details.update': (detail) => say`changed the details on invoices, now for “${text(detail.name, 'no name')}”`,
  'payment.credited': (detail) =>
    say`turned a payment of ${pence(detail.amount_pence)} for invoice ${invoice(detail)} into credit`,
  'payment.unmatched': (detail) =>
    say`set aside a payment of ${pence(detail.amount_pence)} that does not match invoice ${invoice(detail)}`,
  'payment.refund': (detail) =>
    detail.number === undefined
      ? say`paid ${pence(detail.refunded_pence)} back`
      : say`paid ${pence(detail.refunded_pence)} of invoice ${invoice(detail)} back`,
  'payment.dispute': ({ outcome, reference }) => {
    const named = text(reference, 'without a reference')
    if (outcome === 'dispute_won') return say`noted that the dispute about payment ${named} was won`
    if (outcome === 'dispute_lost') return say`noted that the dispute about payment ${named} was lost`
    if (outcome === 'inquiry') return say`noted that the bank inquires about payment ${named}`
    if (outcome === 'inquiry_closed') return say`noted that the inquiry about payment ${named} is closed`
    return say`noted that payment ${named} is disputed`
  },
  'top_up.create': (detail) => say`requested ${pence(detail.amount_pence)} of credit`,
  'counterparty.create': (detail, entry) => say`added the counterparty “${named(detail, entry)}”`,
  'counterparty.update': (detail, entry) =>
    say`changed ${listed(texts(detail.changed))} of the counterparty “${named(detail, entry)}”`,
  'counterparty.delete': (detail, entry) => say`deleted the counterparty “${named(detail, entry)}”`,
  'counterparty.import': (detail) =>
    say`imported counterparties from ${text(detail.file_name, 'a file')}: ${text(detail.new, '0')} new, ${text(detail.changed, '0')} changed`,
  'counterparty.undo': (detail) => say`undid the import of counterparties from ${text(detail.file_name, 'a file')}`,
  'alert.create': (detail) => [`set an alert for ${alertWords(detail)}`],
  'alert.delete': (detail) => [
    detail.kind === undefined ? 'removed an alert' : `removed the alert for ${alertWords(detail)}`,
  ],
  'invoice.issue': (detail) => say`issued invoice ${invoice(detail)} over ${pence(detail.total_pence)}`,
  'invoice.settle': (detail) => say`settled invoice ${invoice(detail)} over ${pence(detail.total_pence)}`,
  'invoice.void': (detail) => say`cancelled invoice ${invoice(detail)} over ${pence(detail.total_pence)}`,
  'account.inactive': (detail) => [`stopped answering checks${because(detail)}`],
  'account.active': () => ['answers checks again'],
  'organisation.allow_approval': (detail) =>
    detail.needed === false
      ? ['no longer asks for a second person to approve allow entries']
      : ['asks for a second person to approve allow entries'],
  'organisation.decision_approval': (detail) =>
    detail.needed === false
      ? ['no longer asks for a second person to decide about checks']
      : ['asks for a second person to decide about checks'],
  'organisation.history': (detail) => {
    const { history, history_days: days } = detail
    return [
      history === undefined ? 'changed the history' : `changed the kept checks to “${words(record(history).to)}”`,
      days === undefined ? '' : `, kept for ${text(record(days).to, 'some')} days`,
    ]
  },
  'own_list.add': (detail) => [
    ...say`added ${listedWords(detail)} to the own ${words(detail.list)} list`,
    detail.pending === true ? ', where it waits for approval' : '',
  ],
  'own_list.update': (detail) => {
    const to = record(detail.to)
    return say`changed the entry of ${listedWords(to)} on the own ${words(to.list)} list`
  },
  'own_list.approve': (detail) => say`approved ${listedWords(detail)} on the own ${words(detail.list)} list`,
  'own_list.remove': (detail) => say`removed ${listedWords(detail)} from the own ${words(detail.list)} list`,
  'own_list.import': (detail) =>
    say`imported a file into the own ${words(detail.list)} list: ${text(detail.added, 'some')} added, ${text(detail.changed, 'some')} changed`,
  'decision_rules.update': (detail) =>
    say`changed the decision rules to version ${text(detail.version, 'unknown')}, with ${text(detail.rules, 'some')} rules`,
  'check.decide': (detail, entry) => [
    ...say`decided “${words(detail.to)}” about the check ${text(entry.target_id, 'unknown')}`,
    detail.state === 'waiting' ? ', which waits for a second person' : '',
  ],
  'check.review': (detail, entry) =>
    say`put the check ${text(entry.target_id, 'unknown')} on the work list${detail.assigned_to === null ? '' : ', for a member'}`,
  'check.feedback': (detail, entry) =>
    say`reported that the answer of the check ${text(entry.target_id, 'unknown')} is ${words(detail.wrong)}`,
  'domain.add': (detail) => say`claimed the domain ${text(detail.domain, 'unknown')}`,
  'domain.verify': (detail) => say`proved that the domain ${text(detail.domain, 'unknown')} is the organisation’s own`,
  'domain.lose': (detail) => say`found no proof of the domain ${text(detail.domain, 'unknown')} any more`,
  'domain.remove': (detail) => say`removed the domain ${text(detail.domain, 'unknown')}`,
  'check.erase': (detail) => say`erased ${text(detail.erased, 'some')} checks from the history`,
  'webhook.create': (detail) => say`created a webhook to ${text(detail.host, 'unknown')}`,
  'webhook.update': (detail) => [
    detail.enabled === undefined ? 'changed' : detail.enabled ? 'enabled' : 'disabled',
    ...say` the webhook to ${text(detail.host, 'unknown')}`,
  ],
  'webhook.rotate_secret': (detail) => say`gave the webhook to ${text(detail.host, 'unknown')} a new secret`,
  'webhook.delete': (detail) => say`deleted the webhook to ${text(detail.host, 'unknown')}`,
}

export const predicateOf = (entry: AuditEntry): readonly Part[] => SENTENCES[entry.action](entry.detail, entry)

export function subjectOf({ kind, id, name }: AuditEntry['actor']): { before: string; name: string; after: string } {
  // The person behind a failed sign-in is unknown.
  if (kind === 'system' && id === 'somebody') return { before: '', name: 'Somebody', after: '' }
  if (kind === 'system') return { before: '', name: 'The service', after: '' }
  if (kind === 'operator') {
    return name === null
      ? { before: '', name: 'The operator', after: '' }
      : { before: '', name, after: ', for the operator,' }
  }
  if (kind === 'person') return { before: '', name: name ?? id, after: '' }
  return { before: kind === 'api_key' ? 'The key “' : 'The application “', name: name ?? id, after: '”' }
}

export const CREDENTIALS: Readonly<Record<AuditEntry['actor']['kind'], string>> = {
  api_key: 'API key',
  application: 'Access token',
  person: 'Signed in',
  operator: 'Operator',
  system: 'By itself',
}
