import type { Command } from 'commander'
import { operatorIn } from '../../access/actor.ts'
import { requireOrganisation } from '../../identity/organisation/organisations.ts'
import { LIMITS } from '../../limits.ts'
import { type VerbContext, VerbError } from '../../verb/context.ts'
import { dateText, listAnswer } from '../../verb/output.ts'
import { type RingOpener, withStore } from '../../verb/store.ts'
import {
  flag,
  LIST_ROWS_MAX,
  oneOfWords,
  optional,
  readJsonFile,
  required,
  verbsOf,
  withDefault,
} from '../../verb/verb.ts'
import { announceOwnChange } from '../version.ts'
import { listCounterparties } from './counterparties.ts'
import {
  addRows,
  applyImport,
  beginImport,
  discardImport,
  GONE,
  type Import,
  type ImportRow,
  lastApplied,
  type RowRemarks,
  undoImport,
} from './imports.ts'
import { counterpartyView } from './logs.ts'
import type { Counterparty } from './register.ts'

export function registerCounterpartyVerbs(program: Command, context: VerbContext, { openRing }: RingOpener): void {
  const group = program.command('counterparty').description('whom an organisation deals with')
  const add = verbsOf(group, context, withStore)
  const ORG = { org: required('--org <id>', 'organisation') }

  add('list', 'show counterparties of an organisation', {
    ...ORG,
    search: optional('--search <words>', 'beginnings of words of a name, a reference, a domain or an address'),
  }).runs(async ({ sql }, { org, search }) => {
    await requireOrganisation(sql, org)
    const { rows } = await listCounterparties(sql, { organisationId: org, search }, { limit: LIST_ROWS_MAX })
    return listAnswer(rows, counterpartyView, 'No counterparty is found.', {
      COUNTERPARTY: (row) => row.id,
      NAME: (row) => row.name,
      REFERENCE: (row) => row.reference,
      STATE: (row) => row.state,
      DOMAINS: (row) => row.domains.join(' '),
      ACCOUNTS: (row) => row.accounts.map(({ last4 }) => `…${last4}`).join(' '),
      CHANGED: (row) => dateText(row.updated_at),
    })
  })

  add('export', 'print all counterparties as JSON, in the form that import reads', ORG).runs(
    async ({ sql }, { org }) => {
      await requireOrganisation(sql, org)
      const rows: ReturnType<typeof rowOf>[] = []
      let from: Awaited<ReturnType<typeof listCounterparties>>['next']
      do {
        const page = await listCounterparties(sql, { organisationId: org }, { from, limit: 1000 })
        for (const one of page.rows) rows.push(rowOf(one, rows.length + 1))
        from = page.next
      } while (from)
      return { value: rows, text: JSON.stringify(rows, null, 2) }
    },
  )

  add('import', 'import counterparties from JSON; shows the differences, and applies them with --yes', {
    ...ORG,
    file: required(
      '--file <path>',
      'JSON as export writes it; customers import CSV with `assay counterparties import`',
    ),
    gone: withDefault('--gone <what>', `known ones that are not in the file: ${GONE.join(', ')}`, 'keep', (text) =>
      oneOfWords('--gone', GONE)(text),
    ),
    skip: flag('--skip-invalid', 'leave out rows that are not valid'),
    yes: flag('--yes', 'apply the import'),
  }).runs(async (store, { org, file, gone, skip, yes }) => {
    await requireOrganisation(store.sql, org)
    const actor = operatorIn(org)
    const rows = rowsIn(readJsonFile(file, '--file'))
    const ring = await openRing(store)
    const remarks: RowRemarks[] = []
    const options = {
      rows: rows.length,
      fileName: file,
      gone,
      invalidRows: skip ? ('skip' as const) : ('refuse' as const),
    }
    let one = await store.change((tx) => beginImport(tx, actor, options))
    for (let at = 0; at < rows.length; at += LIMITS.counts.importRowsMax) {
      const part = rows.slice(at, at + LIMITS.counts.importRowsMax)
      const added = await store.change((tx) => addRows(tx, actor, ring, one.id, part))
      one = added.import
      remarks.push(...added.remarks)
    }
    if (yes)
      do one = await store.change((tx) => applyImport(tx, actor, one.id))
      while (one.state === 'applying')
    else one = await store.change((tx) => discardImport(tx, actor, one.id))
    await announceOwnChange(store.sql, org)
    return importAnswer(one, remarks, yes === true)
  })

  add('undo', 'undo the last import of an organisation', {
    ...ORG,
    lose: flag('--discard-changes', 'also lose changes that were made after it'),
  }).runs(async ({ sql, change }, { org, lose }) => {
    await requireOrganisation(sql, org)
    const last = await lastApplied(sql, org)
    if (!last) throw new VerbError('This organisation has no import that can be undone.')
    const undone = await change((tx) => undoImport(tx, operatorIn(org), last.id, { discardChanges: lose }))
    await announceOwnChange(sql, org)
    return { value: { import_id: undone.id, state: undone.state }, text: `The import ${undone.id} is undone.` }
  })
}

/** A row of an export, which an import reads: accounts on record by their last four characters. */
function rowOf(one: Counterparty, row: number) {
  const { name, reference, since, note, state, domains, emails, networks } = one
  const accounts = one.accounts.map(({ last4 }) => `…${last4}`)
  return { row, name, reference, since, note, state, domains, emails, networks, accounts }
}

const TEXTS = ['name', 'reference', 'since', 'note', 'state']
const LISTS = ['domains', 'emails', 'networks', 'accounts']

function rowsIn(content: unknown): ImportRow[] {
  const wrong = (at: number) => new VerbError(`--file: entry ${at + 1} is not a counterparty as export writes it.`)
  if (!Array.isArray(content) || content.length === 0)
    throw new VerbError('--file: must be a JSON array of counterparties.')
  return content.map((entry: unknown, at) => {
    if (typeof entry !== 'object' || entry === null) throw wrong(at)
    for (const [name, value] of Object.entries(entry)) {
      const fits = LISTS.includes(name)
        ? Array.isArray(value) && value.every((one) => typeof one === 'string')
        : TEXTS.includes(name)
          ? value === null || typeof value === 'string'
          : name === 'row'
      if (!fits) throw wrong(at)
    }
    return { ...entry, row: at + 1 }
  })
}

function importAnswer(one: Import, remarks: readonly RowRemarks[], applied: boolean) {
  const { counts } = one
  const lines = remarks.flatMap(({ row_number, remarks: some }) =>
    some.map(({ detail }) => `  entry ${row_number}: ${detail}`),
  )
  return {
    value: { import_id: one.id, state: one.state, counts, remarks },
    text: [
      `${counts.new} new, ${counts.changed} changed, ${counts.same} unchanged, ${counts.merged} joined, ${counts.invalid} not valid.`,
      ...lines,
      applied ? `Imported: ${one.id}.` : 'Nothing was imported yet. Import it: --yes',
    ],
  }
}
