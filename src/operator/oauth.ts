import type { Command } from 'commander'
import { operatorIn } from '../access/actor.ts'
import { announceKeyChange } from '../identity/announce.ts'
import { audit } from '../identity/audit.ts'
import { iso, isoOrNull } from '../lib/time-text.ts'
import { listSigningKeys, loadSigningKeys, rotateSigningKeys } from '../oauth/keys.ts'
import { createSealer } from '../oauth/seal.ts'
import { dateText, type OperatorContext, print, table, verb, withStore } from './context.ts'
import { openConfiguredRing } from './ring.ts'
import { lifetimesOf } from './settings.ts'

export function registerOAuthVerbs(program: Command, context: OperatorContext): void {
  const oauth = program.command('oauth').description('the OAuth server itself')
  verb(
    oauth,
    'rotate-keys',
    'make new keys that sign ID tokens: published now, signing after ASSAY_SIGNING_KEY_PUBLISHED_SECONDS; the old ones stay published until nothing needs them',
  )
    .option(
      '--now',
      'a key leaked: the new keys sign at once and the old ones are gone at once, so that people sign in again',
    )
    .action(async (options: { now?: boolean; json?: boolean }) => {
      const config = context.config()
      await withStore(context, async ({ sql, clock, change }) => {
        const sealer = createSealer(await openConfiguredRing(config, { sql, clock }))
        const nowMs = clock.now()
        const atOnce = options.now === true
        // Opening the present keys first: with the wrong secret nothing is changed.
        await loadSigningKeys(sql, sealer, nowMs)
        const lifetimes = lifetimesOf(config)
        const { keys, signsAtMs, retiresAtMs } = await rotateSigningKeys(sql, sealer, nowMs, { lifetimes, atOnce })
        await announceKeyChange(sql)
        const kids = keys.map(({ kid }) => kid).join(' ')
        await change((tx) => audit(tx, operatorIn(''), 'oauth.rotate_keys', kids, { at_once: atOnce }))
        const result = {
          kid: keys[0]?.kid,
          keys,
          signs_at: iso(signsAtMs),
          former_keys_retire_at: iso(retiresAtMs),
        }
        print(context, options.json, result, () =>
          [
            ...keys.map(({ kid, alg }) => `Key ${kid} (${alg}) is published and signs from ${result.signs_at}.`),
            atOnce
              ? 'The former keys are gone: ID tokens that they signed are worth nothing any more.'
              : `The former keys go ${result.former_keys_retire_at}.`,
          ].join('\n'),
        )
      })
    })

  verb(oauth, 'keys', 'show the published keys that sign, signed or will sign ID tokens').action(
    async (options: { json?: boolean }) => {
      await withStore(context, async ({ sql, clock }) => {
        const keys = await listSigningKeys(sql, clock.now())
        const rows = keys.map((key) => ({
          kid: key.kid,
          alg: key.alg,
          state: key.state,
          published_at: iso(key.createdAtMs),
          signs_at: iso(key.signsAtMs),
          retires_at: isoOrNull(key.retiresAtMs),
        }))
        print(context, options.json, rows, () =>
          table(
            ['KEY', 'ALGORITHM', 'STATE', 'PUBLISHED', 'SIGNS FROM', 'RETIRES'],
            keys.map((key) => [
              key.kid,
              key.alg,
              key.state,
              dateText(key.createdAtMs),
              dateText(key.signsAtMs),
              key.retiresAtMs === null ? '-' : dateText(key.retiresAtMs),
            ]),
            'There is no key yet: the first start of the server makes them.',
          ),
        )
      })
    },
  )
}
