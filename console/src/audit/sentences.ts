/**
 * The audit log in sentences: who did what. There is one sentence for every action that the server records; an action
 * without one does not compile. Names are untrusted text, so each is a separate part and is isolated in the page.
 *
 * In a sentence `{plan}` stands for the detail of that name, `{role.to}` for one inside another, `{file_name|a file}`
 * for one with other words where it is missing, `{plan:code}` and `{pence:money}` for one in another form, and the names
 * of NAMED for parts that take more than one detail.
 */
import type { AUDIT_ACTIONS, Operations } from '@assay/sdk'
import { invoiceName, moment, money } from '../shell/format.ts'
import { type Part, say } from '../shell/words.ts'

export type AuditEntry = Operations['GET /v1/organisation/audit']['response']['data'][number]
export type AuditAction = keyof typeof AUDIT_ACTIONS

type Detail = Readonly<Record<string, unknown>>
type Sentence = string | ((detail: Detail, entry: AuditEntry) => string | readonly Part[])

const isRecord = (value: unknown): value is Detail => typeof value === 'object' && value !== null
const record = (value: unknown): Detail => (isRecord(value) ? value : {})
const text = (value: unknown, otherwise: string) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise
const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
const code = (value: unknown) => text(value, 'unknown').replaceAll('_', ' ')
const listed = (names: readonly string[]) => names.join(', ')

const FORMS: Readonly<Record<string, (value: unknown) => string>> = {
  code,
  money: (value) => (typeof value === 'number' ? money(value) : 'an amount'),
  time: (value) => (typeof value === 'string' ? moment(value) : 'no date'),
  list: (value) => listed(texts(value)),
}

const NAMED: Readonly<Record<string, (detail: Detail, entry: AuditEntry) => string>> = {
  /** The name of the thing; its id in entries from before names were stored. */
  name: ({ name }, { target_id }) => text(name, target_id ?? 'without a name'),
  target: (_, { target_id }) => text(target_id, 'unknown'),
  invoice: ({ number }) => (number === undefined ? 'without a number' : invoiceName({ number: text(number, '') })),
  erased_thing: ({ name }) => (name === undefined ? 'the organisation' : `the account of ${text(name, '')}`),
  factor: ({ factor, name, label }) => {
    if (factor === 'one_time_codes') return 'one-time codes'
    return factor === 'all'
      ? `every second factor of ${text(name, 'a member')}`
      : `the passkey “${text(label, 'without a name')}”`
  },
  /** Entries about people name only the domain of the address. */
  indicator: ({ at, indicator }) => (typeof at === 'string' ? `an address at ${at}` : text(indicator, 'an entry')),
}

function fill(sentence: string, detail: Detail, entry: AuditEntry): readonly Part[] {
  return sentence.split(/[{}]/).map((piece, at) => {
    if (at % 2 === 0) return piece
    const [, place = '', form = '', otherwise = 'unknown'] = /^([\w.]+):?(\w*)\|?(.*)$/.exec(piece) ?? []
    const value = place.split('.').reduce<unknown>((within, name) => record(within)[name], detail)
    if (piece === place && NAMED[place]) return { name: NAMED[place](detail, entry) }
    return { name: FORMS[form]?.(value) ?? text(value, piece.includes('|') ? otherwise : 'unknown') }
  })
}

const isSelf = ({ actor, target_id }: AuditEntry) => actor.id === target_id
const scopeWords = (scopes: readonly string[]) => (scopes.length === 1 ? 'the scope' : 'the scopes')
const withScopes = ({ scopes }: Detail) => ` with ${scopeWords(texts(scopes))} {scopes:list}`

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
        ? ['set ', ...it, ...say` to expire on ${FORMS.time!(to.expires_at)}`]
        : ['removed the expiry of ', ...it]),
    differs('redirect_uris', 'logout_uris') && ['changed the addresses of ', ...it],
    differs('jwks_digest', 'jwks_uri') && ['changed the keys of ', ...it],
    differs('id_token_signed_response_alg') && [
      'had ID tokens for ',
      ...it,
      ...say` signed by ${code(to.id_token_signed_response_alg)}`,
    ],
    typeof from.former_secret_expires_at === 'string' &&
      to.former_secret_expires_at === null && ['ended the former secret of ', ...it],
  ].filter((clause) => clause !== false)
  if (clauses.length === 0) return ['saved ', ...it, ' without changes']
  return clauses.flatMap((clause, i) => (i === 0 ? clause : [i === clauses.length - 1 ? ' and ' : ', ', ...clause]))
}

const changed =
  (thing: string): Sentence =>
  ({ from, to }) =>
    differences(record(from), record(to), thing)

const REASONS: Readonly<Record<string, string>> = {
  disabled: 'the operator disabled it',
  awaiting_approval: 'it waits for the approval of the operator',
  overdue: 'an invoice is overdue',
  disputed: 'a payment is disputed',
  deactivated: 'the operator ended the subscription',
  ended: 'the subscription has ended',
  first_payment: 'the first invoice is not paid',
}

const DISPUTES: Readonly<Record<string, string>> = {
  dispute_won: 'noted that the dispute about payment {reference|without a reference} was won',
  dispute_lost: 'noted that the dispute about payment {reference|without a reference} was lost',
  inquiry: 'noted that the bank inquires about payment {reference|without a reference}',
  inquiry_closed: 'noted that the inquiry about payment {reference|without a reference} is closed',
}

const alertWords = ({ kind }: Detail) =>
  `${kind === 'overage_above' ? 'overage above' : 'credit below'} {threshold_pence:money}`

/** Named where the change accepted the operator's terms. */
const termsWords = ({ terms_accepted: accepted }: Detail) =>
  record(accepted).version === undefined ? '' : ' and accepted the terms of version {terms_accepted.version}'

export const SENTENCES: Readonly<Record<AuditAction, Sentence>> = {
  'ledger.archive': 'archived a month of the ledger',
  'ledger.restore': 'accepted that the database was restored from a backup',
  'maintenance.begin': 'closed the service for maintenance',
  'maintenance.end': 'opened the service again',
  'oauth.rotate_keys': 'created a new key that signs ID tokens',
  'backup.create': 'created a backup of the database',
  'backup.restore': 'restored the database from a backup',
  'receipts.rotate_key': 'created a new key that signs receipts',
  'secret.rotate': 'started to replace the secret of the server',
  'secret.finish': 'removed the former secret of the server',
  'organisation.create': 'created the organisation “{name}” on the plan {plan:code}',
  'organisation.update': 'renamed the organisation from “{name.from|}” to “{name.to|}”',
  'organisation.disable': 'disabled the organisation',
  'organisation.enable': 'enabled the organisation again',
  'organisation.deactivate': 'ended the subscription of the organisation',
  'organisation.activate': 'restored the subscription',
  'organisation.approve': 'approved the organisation',
  'organisation.erase': 'erased everything of the organisation',
  'erasure.ask': 'asked to erase {erased_thing}',
  'erasure.cancel': 'cancelled the erasure of {erased_thing}',
  'member.join': (detail, entry) =>
    isSelf(entry)
      ? `joined as {role:code}${termsWords(detail)}`
      : 'added {name} as a member, with the role {role:code}',
  'member.update': 'changed the role of {name} from {role.from:code} to {role.to:code}',
  'member.remove': (_, entry) => (isSelf(entry) ? 'left the organisation' : 'removed {name}, {role:code}'),
  'person.disable': 'stopped {name} from signing in',
  'person.enable': 'let {name} sign in again',
  'person.password': 'gave {name} a new password',
  'person.operator': ({ operator }) =>
    operator === false
      ? 'took from {name} the right to manage every organisation'
      : 'let {name} manage every organisation',
  'person.rename': 'changed the name {from|of before} to {to|another}',
  'person.email': 'changed the email address of {name} from {from|another} to {to|another}',
  'person.delete': (_, entry) => (isSelf(entry) ? 'deleted their account' : 'deleted the account of {name}'),
  'person.verify': 'verified their email address',
  'session.begin': ({ new_device: isNew }) =>
    `signed in with {how|a password}${isNew === true ? ' in a new browser' : ''}`,
  'session.fail': ({ failures }) =>
    `failed to sign in as {name}${Number(failures) > 1 ? `, ${Number(failures)} times by now` : ''}`,
  'session.end': (_, entry) => (isSelf(entry) ? 'signed out elsewhere' : 'signed {name} out everywhere'),
  'factor.add': 'added {factor}',
  'factor.remove': 'removed {factor}',
  'factor.recovery': ({ what }) => (what === 'used' ? 'signed in with a recovery code' : 'created new recovery codes'),
  'organisation.second_factor': ({ required, from }) =>
    required === false
      ? 'no longer requires a second factor of members'
      : `requires a second factor of every member${typeof from === 'string' ? ' from {from:time}' : ''}`,
  'grant.withdraw': ({ member }) =>
    `withdrew the consent ${typeof member === 'string' ? 'of {member} ' : ''}to the application “{name}”`,
  'grant.reuse': ({ what }) =>
    `ended the consent to the application “{name}”, because its ${what === undefined ? 'token' : '{what:code}'} was used twice`,
  'grant.create': 'allowed the application “{name}” to act for them',
  'invitation.create': ({ email }) =>
    email === undefined ? 'created an invitation to join as {role:code}' : 'invited {email} to join as {role:code}',
  'invitation.ask': 'asked for a new invitation for {email} as {role:code}',
  'invitation.revoke': ({ role }) => `withdrew an invitation${role === undefined ? '' : ' to join as {role:code}'}`,
  'key.create': (detail) => `created the key “{name}”${withScopes(detail)}`,
  'key.update': changed('key'),
  'key.rotate': ({ grace_hours: hours }) =>
    `replaced the key “{name}”; the old one ${hours === 0 ? 'ended immediately' : 'works for {grace_hours|some} more hours'}`,
  'key.revoke': 'ended the key “{name}”',
  'client.create': (detail) =>
    `registered the application “{name}”${texts(detail.scopes).length === 0 ? '' : withScopes(detail)}`,
  'client.update': changed('application'),
  'client.rotate_secret': ({ grace_hours: hours, tokens_ended: ended }) =>
    `gave the application “{name}” a new secret${Number(hours) > 0 ? '; the former one works for {grace_hours} more hours' : ''}${ended === true ? '; all its tokens ended' : ''}`,
  'client.delete': 'deleted the application “{name}”',
  'checkout.complete': (detail) => `subscribed to the plan {plan:code}${termsWords(detail)}`,
  'subscription.change': ({ takes_effect: when }) =>
    `changed the plan from {from:code} to {to:code}${when === 'next month' ? ', from next month on' : ''}`,
  'subscription.end': ({ when }) =>
    `ended the subscription ${when === 'now' ? 'immediately' : 'with the end of the month'}`,
  'subscription.resume': 'resumed the plan {to:code}',
  'subscription.given': 'started the paid plan {plan:code}',
  'credit.add': 'added {pence:money} of credit: {reason|no reason given}',
  'plan.set': 'set the plan from {from:code} to {to:code}',
  'limit.set': ({ overage_limit_pence: limit }) =>
    typeof limit === 'number'
      ? 'limited the overage to {overage_limit_pence:money}'
      : 'reset the overage limit to that of the plan',
  'details.update': 'changed the details on invoices, now for “{name|no name}”',
  'payment.credited': 'turned a payment of {amount_pence:money} for invoice {invoice} into credit',
  'payment.unmatched': 'set aside a payment of {amount_pence:money} that does not match invoice {invoice}',
  'payment.refund': ({ number }) =>
    `paid {refunded_pence:money}${number === undefined ? '' : ' of invoice {invoice}'} back`,
  'payment.dispute': ({ outcome }) =>
    DISPUTES[String(outcome)] ?? 'noted that payment {reference|without a reference} is disputed',
  'top_up.create': 'requested {amount_pence:money} of credit',
  'counterparty.create': 'added the counterparty “{name}”',
  'counterparty.update': 'changed {changed:list} of the counterparty “{name}”',
  'counterparty.delete': 'deleted the counterparty “{name}”',
  'counterparty.import': 'imported counterparties from {file_name|a file}: {new|0} new, {changed|0} changed',
  'counterparty.undo': 'undid the import of counterparties from {file_name|a file}',
  'alert.create': (detail) => `set an alert for ${alertWords(detail)}`,
  'alert.delete': (detail) =>
    detail.kind === undefined ? 'removed an alert' : `removed the alert for ${alertWords(detail)}`,
  'invoice.issue': 'issued invoice {invoice} over {total_pence:money}',
  'invoice.settle': 'settled invoice {invoice} over {total_pence:money}',
  'invoice.void': 'cancelled invoice {invoice} over {total_pence:money}',
  'account.inactive': ({ reason }) =>
    `stopped answering checks${typeof reason === 'string' ? `: ${REASONS[reason] ?? '{reason:code}'}` : ''}`,
  'account.active': 'answers checks again',
  'organisation.allow_approval': ({ needed }) =>
    `${needed === false ? 'no longer asks' : 'asks'} for a second person to approve allow entries`,
  'organisation.decision_approval': ({ needed }) =>
    `${needed === false ? 'no longer asks' : 'asks'} for a second person to decide about checks`,
  'organisation.history': ({ history, history_days: days }) =>
    `changed the ${history === undefined ? 'history' : 'kept checks to “{history.to:code}”'}${days === undefined ? '' : ', kept for {history_days.to|some} days'}`,
  'own_list.add': ({ pending }) =>
    `added {indicator|an entry} to the own {list:code} list${pending === true ? ', where it waits for approval' : ''}`,
  'own_list.update': ({ to }, entry) =>
    fill('changed the entry of {indicator|a kept check} on the own {list:code} list', record(to), entry),
  'own_list.approve': 'approved {indicator|an entry} on the own {list:code} list',
  'own_list.remove': 'removed {indicator|an entry} from the own {list:code} list',
  'own_list.import': 'imported a file into the own {list:code} list: {added|some} added, {changed|some} changed',
  'decision_rules.update': 'changed the decision rules to version {version}, with {rules|some} rules',
  'check.decide': ({ state }) =>
    `decided “{to:code}” about the check {target}${state === 'waiting' ? ', which waits for a second person' : ''}`,
  'check.review': ({ assigned_to: to }) =>
    `put the check {target} on the work list${to === null ? '' : ', for a member'}`,
  'check.feedback': 'reported that the answer of the check {target} is {wrong:code}',
  'domain.add': 'claimed the domain {domain}',
  'domain.verify': 'proved that the domain {domain} is the organisation’s own',
  'domain.lose': 'found no proof of the domain {domain} any more',
  'domain.remove': 'removed the domain {domain}',
  'check.erase': 'erased {erased|some} checks from the history',
  'webhook.create': 'created a webhook to {host}',
  'webhook.update': ({ enabled }) =>
    `${enabled === undefined ? 'changed' : enabled ? 'enabled' : 'disabled'} the webhook to {host}`,
  'webhook.rotate_secret': 'gave the webhook to {host} a new secret',
  'webhook.delete': 'deleted the webhook to {host}',
}

export function predicateOf(entry: AuditEntry): readonly Part[] {
  const sentence = SENTENCES[entry.action]
  const said = typeof sentence === 'string' ? sentence : sentence(entry.detail, entry)
  return typeof said === 'string' ? fill(said, entry.detail, entry) : said
}

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
