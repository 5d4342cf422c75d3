import type { Command } from 'commander'
import { operatorIn } from '../../access/actor.ts'
import { KEY_SCOPE_NAMES } from '../../access/scopes.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { isoOrNull } from '../../lib/time-text.ts'
import { LIMITS } from '../../limits.ts'
import {
  dateText,
  LIST_ROWS_MAX,
  type OperatorContext,
  print,
  table,
  verb,
  wholeNumber,
  withStore,
  wordsOf,
} from '../../operator/context.ts'
import { requireOrganisation } from '../organisation/organisations.ts'
import { type ApiKey, createKey, listKeys, requireKey, revokeKey, rotateKey } from './keys.ts'

const graceHours = wholeNumber('--grace-hours', 0, LIMITS.counts.graceHoursMax)

export function registerKeyVerbs(program: Command, context: OperatorContext): void {
  const key = program.command('key').description('API keys of an organisation')

  verb(key, 'create', 'make a key; it is shown this once')
    .requiredOption('--org <id>', 'organisation')
    .option('--name <name>', 'what it is for', 'key')
    .option('--scope <scopes>', `of ${KEY_SCOPE_NAMES.join(', ')}; default the four risk scopes`, wordsOf)
    .option('--expires-days <n>', 'days until it ends', wholeNumber('--expires-days', 1, 3650))
    .action(async (options: { org: string; name: string; scope?: string[]; expiresDays?: number; json?: boolean }) => {
      await withStore(context, async ({ change }) => {
        const made = await change((tx) =>
          createKey(tx, operatorIn(options.org), {
            name: options.name,
            scopes: options.scope,
            expiresAtMs: options.expiresDays === undefined ? null : tx.nowMs + options.expiresDays * DAY_MS,
          }),
        )
        print(
          context,
          options.json,
          { ...view(made.key), api_key: made.secret },
          () => `API key ${made.key.id}, shown this once: ${made.secret}`,
        )
      })
    })

  verb(key, 'list', 'show the keys of an organisation')
    .requiredOption('--org <id>', 'organisation')
    .action(async (options: { org: string; json?: boolean }) => {
      await withStore(context, async ({ sql }) => {
        await requireOrganisation(sql, options.org)
        const { rows } = await listKeys(sql, options.org, { limit: LIST_ROWS_MAX })
        print(context, options.json, rows.map(view), () =>
          table(
            ['KEY', 'NAME', 'STARTS WITH', 'CREATED', 'LAST USED', 'ENDS', 'SCOPES'],
            rows.map((row) => [
              row.id,
              row.name,
              `${row.hint}…`,
              dateText(row.created_at),
              dateText(row.last_used_at),
              row.revoked_at === null ? dateText(row.expires_at) : `revoked ${dateText(row.revoked_at)}`,
              row.scopes.join(' '),
            ]),
            'There is no key yet: assayd key create --org ID',
          ),
        )
      })
    })

  verb(key, 'rotate', 'replace a key; both work during the grace period')
    .requiredOption('--key <id>', 'id of the key to replace')
    .option('--grace-hours <n>', 'how long the old one goes on working', graceHours, LIMITS.counts.graceHoursDefault)
    .action(async (options: { key: string; graceHours: number; json?: boolean }) => {
      await withStore(context, async ({ change }) => {
        const rotated = await change(async (tx) => {
          const { organisation_id: organisationId } = await requireKey(tx, { id: options.key })
          return rotateKey(tx, operatorIn(organisationId), options.key, options.graceHours)
        })
        const result = { ...view(rotated.key), api_key: rotated.secret, replaces: view(rotated.old) }
        print(context, options.json, result, () =>
          [
            `API key ${rotated.key.id}, shown this once: ${rotated.secret}`,
            `The old key ${rotated.old.id} works until ${dateText(rotated.old.revoked_at ?? rotated.old.expires_at)} UTC.`,
          ].join('\n'),
        )
      })
    })

  verb(key, 'revoke', 'end a key at once')
    .requiredOption('--key <id>', 'id of the key')
    .action(async (options: { key: string; json?: boolean }) => {
      await withStore(context, async ({ change }) => {
        const revoked = await change(async (tx) => {
          const { organisation_id: organisationId } = await requireKey(tx, { id: options.key })
          return revokeKey(tx, operatorIn(organisationId), options.key)
        })
        print(context, options.json, view(revoked), () => `Key ${revoked.id} is revoked.`)
      })
    })
}

function view(key: ApiKey) {
  return {
    api_key_id: key.id,
    organisation_id: key.organisation_id,
    name: key.name,
    hint: key.hint,
    scopes: key.scopes,
    created_at: isoOrNull(key.created_at),
    expires_at: isoOrNull(key.expires_at),
    last_used_at: isoOrNull(key.last_used_at),
    revoked_at: isoOrNull(key.revoked_at),
  }
}
