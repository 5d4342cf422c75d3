import type { Command } from 'commander'
import { operatorIn } from '../../access/actor.ts'
import { requireOrganisation } from '../../identity/organisation/organisations.ts'
import { DAY_MS } from '../../lib/clock.ts'
import type { VerbContext } from '../../verb/context.ts'
import { dateText, listAnswer } from '../../verb/output.ts'
import { withStore } from '../../verb/store.ts'
import { LIST_ROWS_MAX, oneOfWords, optional, required, verbsOf, wholeNumber } from '../../verb/verb.ts'
import { announceOwnChange } from '../version.ts'
import { addEntry, entryState, listEntries, removeEntry } from './entries.ts'
import { entryView } from './entry-log.ts'
import { LISTS } from './listed.ts'

const ONE = {
  org: required('--org <id>', 'organisation'),
  list: required('--list <list>', `one of ${LISTS.join(', ')}`, oneOfWords('--list', LISTS)),
}

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
    days: optional('--expires-days <n>', 'days until it expires', wholeNumber('--expires-days', 1, 3650)),
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

  add('remove', 'remove an entry', { ...ONE, id: required('--entry <id>', 'id of the entry') }).runs(
    async ({ sql, change }, { org, list, id }) => {
      await change((tx) => removeEntry(tx, operatorIn(org), { list, id }))
      await announceOwnChange(sql, org)
      return { value: { id, removed: true }, text: `Entry ${id} is removed.` }
    },
  )
}
