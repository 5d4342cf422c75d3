import type { Command } from 'commander'
import { DEFAULT_KEY_SCOPES, isScope, SCOPES, type Scope } from '../access/scopes.ts'
import { type ApiKey, createKey, findKey, listKeys, revokeKey, rotateKey } from '../identity/key-store.ts'
import { DAY_MS, HOUR_MS } from '../lib/clock.ts'
import {
  dateText,
  isoOrNull,
  type OperatorContext,
  OperatorError,
  print,
  table,
  verb,
  wholeNumber,
  withStore,
} from './context.ts'
import { requireOrganisation } from './org.ts'

export function registerKey(program: Command, context: OperatorContext): void {
  const key = program.command('key').description('API keys of an organisation')

  verb(key, 'create', 'make a key; it is shown this once')
    .requiredOption('--org <id>', 'organisation')
    .option('--name <name>', 'what it is for', 'key')
    .option('--scope <scopes>', 'scopes, separated by blanks', DEFAULT_KEY_SCOPES.join(' '))
    .option('--expires-days <n>', 'days until it ends', wholeNumber('--expires-days', 1, 3650))
    .action(async (options: { org: string; name: string; scope: string; expiresDays?: number; json?: boolean }) => {
      const scopes = keyScopes(options.scope)
      await withStore(context, async ({ sql }) => {
        await requireOrganisation(sql, options.org)
        const nowMs = context.clock.now()
        const made = await createKey(sql, {
          organisationId: options.org,
          name: options.name,
          scopes,
          expiresAtMs: options.expiresDays === undefined ? null : nowMs + options.expiresDays * DAY_MS,
          nowMs,
        })
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
        const keys = await listKeys(sql, options.org)
        print(context, options.json, keys.map(view), () =>
          table(
            ['KEY', 'NAME', 'STARTS WITH', 'CREATED', 'LAST USED', 'ENDS', 'SCOPES'],
            keys.map((row) => [
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
    .option('--grace-hours <n>', 'how long the old one goes on working', wholeNumber('--grace-hours', 0, 24 * 90), 24)
    .action(async (options: { key: string; graceHours: number; json?: boolean }) => {
      await withStore(context, async ({ sql }) => {
        const rotated = await rotateKey(sql, {
          id: options.key,
          graceMs: options.graceHours * HOUR_MS,
          nowMs: context.clock.now(),
        })
        if (!rotated) throw new OperatorError(`There is no working key ${options.key}: unknown, revoked or expired.`)
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
      await withStore(context, async ({ sql }) => {
        const revoked =
          (await revokeKey(sql, { id: options.key, nowMs: context.clock.now() })) ?? (await findKey(sql, options.key))
        if (!revoked) throw new OperatorError(`There is no key ${options.key}.`)
        print(context, options.json, view(revoked), () => `Key ${revoked.id} is revoked.`)
      })
    })
}

function keyScopes(text: string): Scope[] {
  const names = [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))]
  const allowed = Object.entries(SCOPES).flatMap(([name, row]) => (row.apiKey ? [name] : []))
  const wrong = names.filter((name) => !allowed.includes(name))
  if (wrong.length > 0) {
    throw new OperatorError(`--scope: a key cannot have ${wrong.join(', ')}. Scopes of keys: ${allowed.join(', ')}.`)
  }
  if (names.length === 0) throw new OperatorError('--scope: name at least one scope.')
  return names.filter(isScope)
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
