import type { Command } from 'commander'
import { operatorIn } from '../access/actor.ts'
import { announceKeyChange } from '../identity/announce.ts'
import { audit } from '../identity/audit.ts'
import { isoOrNull } from '../lib/time-text.ts'
import { loadSigningKeys, rotateSigningKeys } from '../oauth/keys.ts'
import { createSealer } from '../oauth/seal.ts'
import { type OperatorContext, print, verb, withStore } from './context.ts'
import { openConfiguredRing } from './ring.ts'

export function registerOAuthVerbs(program: Command, context: OperatorContext): void {
  const oauth = program.command('oauth').description('the OAuth server itself')
  verb(
    oauth,
    'rotate-keys',
    'sign ID tokens with a new key; the old ones stay published until nothing needs them',
  ).action(async (options: { json?: boolean }) => {
    await withStore(context, async ({ sql, clock, change }) => {
      const sealer = createSealer(await openConfiguredRing(context.config(), { sql, clock }))
      const nowMs = clock.now()
      // Opening the present keys first: with the wrong secret nothing is changed.
      await loadSigningKeys(sql, sealer, nowMs)
      const { kid, signsAtMs, retiresAtMs } = await rotateSigningKeys(sql, sealer, nowMs)
      await announceKeyChange(sql)
      await change((tx) => audit(tx, operatorIn(''), 'oauth.rotate_keys', kid, {}))
      const result = { kid, signs_at: isoOrNull(signsAtMs), former_keys_retire_at: isoOrNull(retiresAtMs) }
      print(
        context,
        options.json,
        result,
        () =>
          `Key ${kid} is published and signs from ${result.signs_at}; former keys go ${result.former_keys_retire_at}.`,
      )
    })
  })
}
