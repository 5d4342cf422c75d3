import type { Command } from 'commander'
import { operatorIn } from '../../access/actor.ts'
import { requireOrganisation } from '../../identity/organisation/organisations.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { type VerbContext, VerbError } from '../../verb/context.ts'
import { dateText, listAnswer } from '../../verb/output.ts'
import { withStore } from '../../verb/store.ts'
import { flag, LIST_ROWS_MAX, oneOfWords, optional, required, verbsOf, wholeNumber } from '../../verb/verb.ts'
import { announceOwnChange } from '../version.ts'
import { addEntry, changeEntry, entryState, listEntries, removeEntry } from './entries.ts'
import { entryView } from './entry-log.ts'
import { LISTS } from './listed.ts'

const ONE = {
  org: required('--org <id>', 'organisation'),
  list: required('--list <list>', `one of ${LISTS.join(', ')}`, oneOfWords('--list', LISTS)),
}

const ENTRY = { ...ONE, id: required('--entry <id>', 'id of the entry') }
const EXPIRES_DAYS = wholeNumber('--expires-days', 1, 3650)

export function registerOwnListVerbs(program: Command, context: VerbContext): void {
  const group = program.command('own-list').description('own lists of an organisation: allow, block, review')
  const add = verbsOf(group, context, withStore)

  add('list', 'show the entries of a list', {
    ...ONE,
    search: optional('--search <text>', 'part of the indicator'),
  }).runs(async ({ sql, clock }, { org, list, search }) => {
    await requireOrganisation(sql, org)
    const nowMs = clock.now()
    const query = { organisationId: org, list, search, nowMs }
    const { rows } = await listEntries(sql, query, { from: undefined, limit: LIST_ROWS_MAX })
    return listAnswer(rows, (entry) => entryView({ entry, nowMs }), 'There is no such entry.', {
      ENTRY: (row) => row.id,
      INDICATOR: (row) => row.indicator,
      STATE: (row) => entryState(row, nowMs),
      EXPIRES: (row) => dateText(row.expires_at),
      AUTHOR: (row) => row.author_name ?? row.author_kind,
      REASON: (row) => row.reason,
    })
  })

  add('add', 'add an entry; an allow entry may need the approval of two members', {
    ...ONE,
    indicator: required('--indicator <text>', 'address, domain, IP address or network'),
    reason: optional('--reason <text>', 'why'),
    days: optional('--expires-days <n>', 'days until it expires', EXPIRES_DAYS),
  }).runs(async ({ sql, change }, { org, list, indicator, reason = null, days }) => {
    const { entry, warnings, nowMs } = await change(async (tx) => {
      const expiresAtMs = days === undefined ? null : tx.nowMs + days * DAY_MS
      return { ...(await addEntry(tx, operatorIn(org), list, { indicator, reason, expiresAtMs })), nowMs: tx.nowMs }
    })
    await announceOwnChange(sql, org)
    return {
      value: { ...entryView({ entry, nowMs }), warnings },
      text: [
        `${entry.indicator} is on the ${list} list as ${entry.id} (${entryState(entry, nowMs)}).`,
        ...warnings.map(({ detail }) => `Warning: ${detail}`),
      ],
    }
  })

  add('change', 'change the reason or the expiry of an entry', {
    ...ENTRY,
    reason: optional('--reason <text>', 'why; "" for none'),
    days: optional('--expires-days <n>', 'days from now until it expires', EXPIRES_DAYS),
    never: flag('--never-expires', 'the entry does not expire'),
  }).runs(async ({ sql, change }, { org, list, id, reason, days, never }) => {
    if (days !== undefined && never) throw new VerbError('Give either --expires-days or --never-expires.')
    if (reason === undefined && days === undefined && !never) {
      throw new VerbError('Give --reason, --expires-days or --never-expires.')
    }
    const { entry, nowMs } = await change(async (tx) => {
      const expiresAtMs = never ? null : days === undefined ? undefined : tx.nowMs + days * DAY_MS
      const wanted = { reason: reason === undefined ? undefined : reason.trim() || null, expiresAtMs }
      return { entry: await changeEntry(tx, operatorIn(org), { list, id }, wanted), nowMs: tx.nowMs }
    })
    await announceOwnChange(sql, org)
    return {
      value: entryView({ entry, nowMs }),
      text: `Entry ${id} is changed (${entryState(entry, nowMs)}).`,
    }
  })

  add('remove', 'remove an entry', ENTRY).runs(async ({ sql, change }, { org, list, id }) => {
    await change((tx) => removeEntry(tx, operatorIn(org), { list, id }))
    await announceOwnChange(sql, org)
    return { value: { id, removed: true }, text: `Entry ${id} is removed.` }
  })
}
