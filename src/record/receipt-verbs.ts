import type { Command } from 'commander'
import { operatorIn } from '../access/actor.ts'
import { audit } from '../identity/audit.ts'
import { iso, isoOrNull } from '../lib/clock.ts'
import type { Ring } from '../lib/seal.ts'
import type { VerbContext } from '../verb/context.ts'
import { dateText, listAnswer } from '../verb/output.ts'
import { lifetimesOf } from '../verb/settings.ts'
import { type Store, withStore } from '../verb/store.ts'
import { flag, verbsOf } from '../verb/verb.ts'
import { listReceiptKeys, rotateReceiptKey } from './receipt-keys.ts'

export function registerReceiptVerbs(
  program: Command,
  context: VerbContext,
  { openRing }: { readonly openRing: (store: Store) => Promise<Ring> },
): void {
  const add = verbsOf(program.command('receipts').description('receipts of checks'), context, withStore)

  add('keys', 'show the keys that sign and verify receipts', {}).runs(async ({ sql, clock }) => {
    const keys = await listReceiptKeys(sql, clock.now())
    const view = ({ kid, state, created_at, signs_at, revoked_at }: (typeof keys)[number]) => ({
      kid,
      state,
      published_at: iso(created_at),
      signs_at: iso(signs_at),
      revoked_at: isoOrNull(revoked_at),
    })
    return listAnswer(keys, view, 'There is no key yet: the first receipt makes one.', {
      KEY: (key) => key.kid,
      STATE: (key) => key.state,
      PUBLISHED: (key) => dateText(key.created_at),
      'SIGNS FROM': (key) => dateText(key.signs_at),
    })
  })

  add(
    'rotate-key',
    'create a new key for receipts: published now, used after ASSAY_SIGNING_KEY_PUBLISHED_SECONDS; former keys stay published',
    {
      atOnce: flag('--now', 'after a leak: use the new key immediately, and refuse every receipt under a former key'),
    },
  ).runs(async (store, { atOnce = false }) => {
    const { sql, clock, change } = store
    const publishedSeconds = lifetimesOf(context.config()).signingKeyPublishedSeconds
    const ring = await openRing(store)
    const { kid, signsAtMs } = await rotateReceiptKey(sql, ring, clock.now(), { publishedSeconds, atOnce })
    await change((tx) => audit(tx, operatorIn(''), 'receipts.rotate_key', kid, { at_once: atOnce }))
    return {
      value: { kid, signs_at: iso(signsAtMs) },
      text: [
        `Key ${kid} is published and signs from ${iso(signsAtMs)}.`,
        atOnce
          ? 'Receipts under former keys are refused from now on. Receipts of kept checks can be made again.'
          : 'Receipts under former keys stay valid.',
      ],
    }
  })
}
