import type { Command } from 'commander'
import { operatorIn } from '../access/actor.ts'
import { announceKeyChange } from '../identity/announce.ts'
import { audit } from '../identity/audit.ts'
import { iso, shown } from '../lib/clock.ts'
import type { VerbContext } from '../verb/context.ts'
import { dateText, listAnswer } from '../verb/output.ts'
import { lifetimesOf } from '../verb/settings.ts'
import { type RingOpener, withStore } from '../verb/store.ts'
import { flag, verbsOf } from '../verb/verb.ts'
import { listSigningKeys, loadSigningKeys, type PublishedKey, rotateSigningKeys } from './keys.ts'
import { createSealer } from './seal.ts'

export function registerOAuthVerbs(program: Command, context: VerbContext, { openRing }: RingOpener): void {
  const oauth = program.command('oauth').description('the OAuth server itself')
  const add = verbsOf(oauth, context, withStore)

  add(
    'rotate-keys',
    'create new signing keys for ID tokens: published now, used after ASSAY_SIGNING_KEY_PUBLISHED_SECONDS; the old keys stay published until no token needs them',
    {
      atOnce: flag(
        '--now',
        'after a leak: use the new keys immediately and remove the old ones immediately; people must sign in again',
      ),
    },
  ).runs(async (store, { atOnce = false }) => {
    const { sql, clock, change } = store
    const sealer = createSealer(await openRing(store))
    const nowMs = clock.now()
    // Open the current keys first: with the wrong secret nothing is changed.
    await loadSigningKeys(sql, sealer, nowMs)
    const lifetimes = lifetimesOf(context.config())
    const { keys, signsAtMs, retiresAtMs } = await rotateSigningKeys(sql, sealer, nowMs, { lifetimes, atOnce })
    await announceKeyChange(sql)
    const kids = keys.map(({ kid }) => kid).join(' ')
    await change((tx) => audit(tx, operatorIn(''), 'oauth.rotate_keys', kids, { at_once: atOnce }))
    return {
      value: { kid: keys[0]?.kid, keys, signs_at: iso(signsAtMs), former_keys_retire_at: iso(retiresAtMs) },
      text: [
        ...keys.map(({ kid, alg }) => `Key ${kid} (${alg}) is published and signs from ${iso(signsAtMs)}.`),
        atOnce
          ? 'The former keys are removed: ID tokens that they signed are no longer valid.'
          : `The former keys are removed at ${iso(retiresAtMs)}.`,
      ],
    }
  })

  add('keys', 'show the published signing keys of ID tokens: current, former and future', {}).runs(
    async ({ sql, clock }) => {
      const keys = await listSigningKeys(sql, clock.now())
      const view = (key: PublishedKey) => ({
        ...shown(key, 'kid', 'alg', 'state', 'signs_at', 'retires_at'),
        published_at: iso(key.created_at),
      })
      return listAnswer(keys, view, 'There is no key yet: the first start of the server creates them.', {
        KEY: (key) => key.kid,
        ALGORITHM: (key) => key.alg,
        STATE: (key) => key.state,
        PUBLISHED: (key) => dateText(key.created_at),
        'SIGNS FROM': (key) => dateText(key.signs_at),
        RETIRES: (key) => dateText(key.retires_at),
      })
    },
  )
}
