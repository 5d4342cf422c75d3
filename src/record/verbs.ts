import type { Command } from 'commander'
import { operatorIn } from '../access/actor.ts'
import { audit } from '../identity/audit.ts'
import { iso, shown } from '../lib/clock.ts'
import { counted } from '../lib/counted.ts'
import { toCsv } from '../lib/csv.ts'
import { type VerbContext, VerbError } from '../verb/context.ts'
import { dateText, listAnswer } from '../verb/output.ts'
import { lifetimesOf } from '../verb/settings.ts'
import { type RingOpener, withStore } from '../verb/store.ts'
import { flag, optional, required, verbsOf } from '../verb/verb.ts'
import { eraseChecks, type ToErase } from './erase.ts'
import { LABELLED_FIELDS, type LabelledCheck, labelledCells, listFeedback } from './feedback.ts'
import { indicatorOf } from './indicator.ts'
import { listReceiptKeys, rotateReceiptKey } from './receipt-keys.ts'

export function registerCheckVerbs(program: Command, context: VerbContext, { openRing }: RingOpener): void {
  const add = verbsOf(program.command('checks').description('checks on record'), context, withStore)
  add('erase', 'erase checks of an organisation; the ledger keeps its numbers', {
    org: required('--org <id>', 'organisation'),
    indicator: optional('--indicator <text>', 'checks of this email address, domain or IP address'),
    person: optional('--person <id>', 'checks that this person asked'),
    all: flag('--all', 'every check'),
    ownLists: flag('--own-lists', 'with --indicator: also remove the entries of own lists that name it'),
  }).runs(async (store, { org, ...given }) => {
    const what = toErase(given)
    const done = await eraseChecks({ ...store, ring: await openRing(store) }, operatorIn(org), what)
    const { erased, own_list_entries: listed, own_list_entries_erased: removed } = done
    const entries = (n: number) => counted(n, 'entry', 'entries')
    return {
      value: done,
      text: [
        `${counted(erased, 'check is', 'checks are')} erased.`,
        ...(removed === 0 ? [] : [`${entries(removed)} of own lists removed.`]),
        ...(listed === 0 ? [] : [`Own lists still name it in ${entries(listed)}: --own-lists removes them, too.`]),
      ],
    }
  })
}

function toErase(
  given: Record<'indicator' | 'person', string | undefined> & Record<'all' | 'ownLists', boolean | undefined>,
): ToErase {
  const { indicator, person, all, ownLists } = given
  if ([indicator, person, all].filter((one) => one !== undefined).length !== 1) {
    throw new VerbError('Say what to erase: one of --indicator, --person and --all.')
  }
  if (ownLists && indicator === undefined) throw new VerbError('--own-lists needs --indicator.')
  if (indicator !== undefined) return { by: 'indicator', indicator: indicatorOf(indicator), ownLists }
  return person === undefined ? { by: 'all' } : { by: 'person', person }
}

const ROWS_AT_ONCE = 100

export function registerFeedbackVerbs(program: Command, context: VerbContext, { openRing }: RingOpener): void {
  const add = verbsOf(
    program.command('feedback').description('answers that customers report as wrong'),
    context,
    withStore,
  )
  add('export', 'print labelled rows as CSV, for the laboratory', {}).runs(async (store) => {
    const ring = await openRing(store)
    const rows: LabelledCheck[] = []
    let page: Awaited<ReturnType<typeof listFeedback>> | undefined
    do {
      page = await listFeedback(store.sql, ring, { from: page?.next, limit: ROWS_AT_ONCE })
      rows.push(...page.rows)
    } while (page.next)
    return { value: rows, text: toCsv(LABELLED_FIELDS, rows.map(labelledCells)).trimEnd() }
  })
}

export function registerReceiptVerbs(program: Command, context: VerbContext, { openRing }: RingOpener): void {
  const add = verbsOf(program.command('receipts').description('receipts of checks'), context, withStore)

  add('keys', 'show the keys that sign and verify receipts', {}).runs(async ({ sql, clock }) => {
    const keys = await listReceiptKeys(sql, clock.now())
    const view = (key: (typeof keys)[number]) => ({
      ...shown(key, 'kid', 'state', 'signs_at', 'revoked_at'),
      published_at: iso(key.created_at),
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
    { atOnce: flag('--now', 'after a leak: use the new key immediately, and refuse every receipt under a former key') },
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
