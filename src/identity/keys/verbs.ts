import type { Command } from 'commander'
import { operatorIn } from '../../access/actor.ts'
import { KEY_SCOPE_NAMES } from '../../access/scopes.ts'
import { DAY_MS, isoOrNull } from '../../lib/clock.ts'
import { LIMITS } from '../../limits.ts'
import type { VerbContext } from '../../verb/context.ts'
import { dateText, listAnswer } from '../../verb/output.ts'
import { withStore } from '../../verb/store.ts'
import { LIST_ROWS_MAX, optional, required, verbsOf, wholeNumber, withDefault, wordsOf } from '../../verb/verb.ts'
import { createdBy } from '../audit.ts'
import { requireOrganisation } from '../organisation/organisations.ts'
import { type ApiKey, createKey, listKeys, requireKey, revokeKey, rotateKey } from './keys.ts'

const graceHours = wholeNumber('--grace-hours', 0, LIMITS.counts.graceHoursMax)

export function registerKeyVerbs(program: Command, context: VerbContext): void {
  const add = verbsOf(program.command('key').description('API keys of an organisation'), context, withStore)

  add('create', 'create a key; it is shown only once', {
    org: required('--org <id>', 'organisation'),
    name: withDefault('--name <name>', 'purpose of the key', 'key'),
    scopes: optional('--scope <scopes>', `of ${KEY_SCOPE_NAMES.join(', ')}; default the four risk scopes`, wordsOf),
    days: optional('--expires-days <n>', 'days until it expires', wholeNumber('--expires-days', 1, 3650)),
  }).runs(async ({ change }, { org, name, scopes, days }) => {
    const made = await change((tx) => {
      const expiresAtMs = days === undefined ? null : tx.nowMs + days * DAY_MS
      return createKey(tx, operatorIn(org), { name, scopes, expiresAtMs })
    })
    return {
      value: { ...view(made.key), api_key: made.secret },
      text: `API key ${made.key.id}, shown only once: ${made.secret}`,
    }
  })

  add('list', 'show the keys of an organisation', { org: required('--org <id>', 'organisation') }).runs(
    async ({ sql }, { org }) => {
      await requireOrganisation(sql, org)
      const { rows } = await listKeys(sql, org, { limit: LIST_ROWS_MAX })
      return listAnswer(rows, view, 'There is no key yet: assayd key create --org ID', {
        KEY: (row) => row.id,
        NAME: (row) => row.name,
        'STARTS WITH': (row) => `${row.hint}…`,
        'MADE BY': (row) => row.made_by_name ?? row.made_by ?? '',
        CREATED: (row) => dateText(row.created_at),
        'LAST USED': (row) => dateText(row.last_used_at),
        ENDS: (row) => (row.revoked_at === null ? dateText(row.expires_at) : `revoked ${dateText(row.revoked_at)}`),
        SCOPES: (row) => row.scopes.join(' '),
      })
    },
  )

  add('rotate', 'replace a key; both are valid during the grace period', {
    id: required('--key <id>', 'id of the key to replace'),
    hours: withDefault(
      '--grace-hours <n>',
      'hours the old key stays valid',
      LIMITS.counts.graceHoursDefault,
      graceHours,
    ),
  }).runs(async ({ change }, { id, hours }) => {
    const { key, old, secret } = await change(async (tx) => {
      const { organisation_id: organisationId } = await requireKey(tx, { id })
      return rotateKey(tx, operatorIn(organisationId), id, hours)
    })
    return {
      value: { ...view(key), api_key: secret, replaces: view(old) },
      text: [
        `API key ${key.id}, shown only once: ${secret}`,
        `The old key ${old.id} is valid until ${dateText(old.revoked_at ?? old.expires_at)} UTC.`,
      ],
    }
  })

  add('revoke', 'revoke a key immediately', { id: required('--key <id>', 'id of the key') }).runs(
    async ({ change }, { id }) => {
      const revoked = await change(async (tx) => {
        const { organisation_id: organisationId } = await requireKey(tx, { id })
        return revokeKey(tx, operatorIn(organisationId), id)
      })
      return { value: view(revoked), text: `Key ${revoked.id} is revoked.` }
    },
  )
}

function view(key: ApiKey) {
  return {
    api_key_id: key.id,
    organisation_id: key.organisation_id,
    name: key.name,
    hint: key.hint,
    scopes: key.scopes,
    created_at: isoOrNull(key.created_at),
    created_by: createdBy(key),
    expires_at: isoOrNull(key.expires_at),
    last_used_at: isoOrNull(key.last_used_at),
    revoked_at: isoOrNull(key.revoked_at),
  }
}
