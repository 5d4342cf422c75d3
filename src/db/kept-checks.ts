/**
 * Checks on record.
 *
 *  1. A check is written in the transaction that charges for it, so both exist or neither. A list is written as one row;
 *     its records get rows of their own afterwards (src/record/lists.ts).
 *  2. Indicators and answers are sealed, those of several checks together. No other column shows an indicator.
 */
import { createSecretKey, type KeyObject } from 'node:crypto'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { CheckToKeep, ListToKeep } from '../lib/charge.ts'
import { timeOfId } from '../lib/ids.ts'
import type { Kind } from '../lib/kinds.ts'
import { sealUnder } from '../lib/seal.ts'
import { type Column, rowsToInsert } from './multi-row.ts'
import type { Dialect, Statement } from './routine.ts'
import { defineTable, type EntityOf, integer, orNull, text } from './table.ts'

export const CHANNELS = ['console', 'api'] as const satisfies readonly CheckToKeep['channel'][]
export const LEVELS = ['low', 'medium', 'high'] as const satisfies readonly CheckToKeep['level'][]
export const CHECK_OUTCOMES = ['approve', 'review', 'stop'] as const satisfies readonly CheckToKeep['outcome'][]
export const DECISIONS = ['approved', 'stopped', 'false_alarm', 'review'] as const
export const REVIEW_STATES = ['open', 'done'] as const

const asked = {
  organisation_id: text(),
  id: text(),
  created_at: integer(),
  kind: text<Kind>(),
  channel: text<CheckToKeep['channel']>(),
  /** The key, application or person. */
  credential_id: text(),
  /** Null for programs. */
  person_id: orNull(text()),
  intelligence: text(),
  repeat_key: orNull(text()),
}

export const keptChecks = defineTable({
  name: 'kept_check',
  key: ['organisation_id', 'id'],
  columns: {
    ...asked,
    level: text<CheckToKeep['level']>(),
    score: integer(),
    digest: text(),
    outcome: orNull(text<NonNullable<CheckToKeep['outcome']>>()),
    decision: orNull(text<(typeof DECISIONS)[number]>()),
    decision_state: orNull(text<'waiting' | 'made'>()),
    review: orNull(text<(typeof REVIEW_STATES)[number]>()),
    assigned_to: orNull(text()),
    reviewed_since: orNull(integer()),
    text_id: text(),
    text_place: integer(),
  },
})
export type KeptCheck = EntityOf<typeof keptChecks>

export const keptLists = defineTable({
  name: 'kept_list',
  key: ['organisation_id', 'id'],
  columns: { ...asked, billing: text(), made: integer(), sealed: text() },
})
export type KeptList = EntityOf<typeof keptLists>

const keptDigests = defineTable({
  name: 'kept_digest',
  key: ['organisation_id', 'digest', 'id'],
  columns: {
    organisation_id: text(),
    digest: text(),
    id: text(),
    level: text<CheckToKeep['level']>(),
    score: integer(),
  },
})

export const waitingDigests = defineTable({
  name: 'waiting_digest',
  key: ['organisation_id', 'id'],
  columns: { organisation_id: text(), id: text(), last_id: text() },
})

export const waitingReviews = defineTable({
  name: 'waiting_review',
  key: ['organisation_id', 'id'],
  columns: { organisation_id: text(), id: text(), kind: text<Kind>(), level: text<CheckToKeep['level']>() },
})

/** The id of the check that a request asked; of a list, the beginning of the ids of its records. */
export const checkIdOf = (requestId: string): string => `chk_${requestId.slice(4)}`
export const recordIdOf = (listId: string, place: number): string => `${listId}-${place}`
export const requestIdOf = (checkId: string): string => `req_${checkId.slice(4).split('-', 1)[0]}`

/** The key that seals now, for a routine: it may run on a thread without a ring. */
export interface SealingKey {
  readonly prefix: string
  readonly key: string
}

export interface ChargedCheck {
  readonly organisationId: string
  readonly id: string
  readonly credentialId: string
  readonly repeatKey: string | null
  /** The billing fields of its answer, as text. */
  readonly billing: string
  readonly check: CheckToKeep
  /** As in ToKeep. */
  readonly text: string
}

export interface TextOfCheck {
  /** As submitted. */
  readonly indicator: string
  /** JSON. An answer without reasons is here without its first and last fields, which its row has: the billing fields. */
  readonly answer: string
}

export const placeOfText = (organisationId: string, textId: string): string => `checks ${organisationId} ${textId}`

/** Shorter texts are stored faster as they are. Longer ones repeat most of themselves: a tenth is left. */
const PACKED_CHARACTERS_MIN = 8 * 1024
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** The beginning of every Zstandard frame, in Base64. No text begins so: it begins with a quote or a line break. */
const PACKED = 'KLUv/'

/** Two lines for each check; JSON has no line break. An erased one has two empty lines. */
export const textOf = (checks: readonly (TextOfCheck | undefined)[]): string =>
  packed(checks.map((one) => (one ? `${JSON.stringify(one.indicator)}\n${one.answer}` : '\n')))

function packed(checks: readonly string[]): string {
  const text = checks.join('\n')
  return text.length < PACKED_CHARACTERS_MIN ? text : zstdCompressSync(text, FAST).toString('base64')
}

export function readText(kept: string): (TextOfCheck | undefined)[] {
  const text = kept.startsWith(PACKED) ? zstdDecompressSync(Buffer.from(kept, 'base64')).toString('utf8') : kept
  const lines = text.split('\n')
  return Array.from({ length: lines.length >> 1 }, (_, place) => {
    const [indicator = '', answer = ''] = lines.slice(2 * place, 2 * place + 2)
    return indicator === '' ? undefined : { indicator: JSON.parse(indicator) as string, answer }
  })
}

/** A text is opened whole to show one check of it: in a quarter of a millisecond. */
const TEXT_CHARACTERS_MAX = 64 * 1024

type CheckRow = ChargedCheck & { readonly textId: string; readonly textPlace: number }

/** Every check pays for each column: those that are null in every new row are left out. */
const CHECK_COLUMNS: readonly Column<CheckRow>[] = [
  { name: 'organisation_id', type: 'text', of: (row) => row.organisationId },
  { name: 'id', type: 'text', of: (row) => row.id },
  { name: 'created_at', type: 'bigint', of: (row) => timeOfId(row.id) },
  { name: 'kind', type: 'text', of: ({ check }) => check.kind },
  { name: 'level', type: 'text', of: ({ check }) => check.level },
  { name: 'score', type: 'bigint', of: ({ check }) => check.score },
  { name: 'digest', type: 'text', of: ({ check }) => check.digest },
  { name: 'channel', type: 'text', of: ({ check }) => check.channel },
  { name: 'credential_id', type: 'text', of: (row) => row.credentialId },
  { name: 'person_id', type: 'text', of: ({ check }) => check.personId },
  { name: 'outcome', type: 'text', of: ({ check }) => check.outcome },
  { name: 'intelligence', type: 'text', of: ({ check }) => check.intelligence },
  { name: 'repeat_key', type: 'text', of: (row) => row.repeatKey },
  { name: 'review', type: 'text', of: ({ check }) => (isToReview(check) ? 'open' : null) },
  { name: 'reviewed_since', type: 'bigint', of: (row) => (isToReview(row.check) ? timeOfId(row.id) : null) },
  { name: 'text_id', type: 'text', of: (row) => row.textId },
  { name: 'text_place', type: 'bigint', of: (row) => row.textPlace },
]

/** Null in the rows of most programs: then they are left out, too. */
const SELDOM = new Set(['person_id', 'outcome', 'repeat_key', 'review', 'reviewed_since'])
const ORDINARY_COLUMNS = CHECK_COLUMNS.filter(({ name }) => !SELDOM.has(name))
const isOrdinary = ({ repeatKey, check: { personId, outcome } }: CheckRow) =>
  repeatKey === null && personId === null && outcome === null

/** A rule asks a person to look: the check of a person goes to the work list. */
const isToReview = ({ outcome, channel }: CheckToKeep) => outcome === 'review' && channel === 'console'

const keptTexts = defineTable({
  name: 'kept_text',
  key: ['organisation_id', 'id'],
  columns: { organisation_id: text(), id: text(), sealed: text() },
})

export function checksToInsert(
  dialect: Pick<Dialect, 'engine'>,
  sealing: SealingKey | undefined,
  charged: readonly ChargedCheck[],
): Statement[] {
  if (charged.length === 0) return []
  if (!sealing) throw new Error('a check cannot go on record without a sealing key')
  const texts: EntityOf<typeof keptTexts>[] = []
  const rows: CheckRow[] = []
  for (const [organisationId, ofOne] of Map.groupBy(charged, (one) => one.organisationId)) {
    let parts: string[] = []
    let characters = 0
    let id = ''
    const seal = () =>
      texts.push({ organisation_id: organisationId, id, sealed: sealed(sealing, organisationId, id, parts) })
    for (const one of ofOne) {
      if (parts.length === 0) id = one.id
      rows.push({ ...one, textId: id, textPlace: parts.length })
      const end = one.text.lastIndexOf('\n')
      characters += parts[parts.push(`${one.text.slice(0, end)}${one.billing}${one.text.slice(end + 1)}`) - 1]!.length
      if (characters < TEXT_CHARACTERS_MAX) continue
      seal()
      parts = []
      characters = 0
    }
    if (parts.length > 0) seal()
  }
  const byPeople = rows.filter(({ check }) => check.channel === 'console')
  return [
    ...keptTexts.toInsert(dialect, texts),
    ...rowsToInsert(dialect, {
      table: 'kept_check',
      columns: rows.every(isOrdinary) ? ORDINARY_COLUMNS : CHECK_COLUMNS,
      rows,
    }),
    ...waitingDigests.toInsert(dialect, digestsOfPrograms(rows)),
    ...keptDigests.toInsert(
      dialect,
      byPeople.map(({ organisationId: organisation_id, id, check: { digest, level, score } }) => ({
        organisation_id,
        digest,
        id,
        level,
        score,
      })),
    ),
    ...waitingReviews.toInsert(
      dialect,
      byPeople
        .filter(({ check }) => isToReview(check))
        .map(({ organisationId: organisation_id, id, check: { kind, level } }) => ({
          organisation_id,
          id,
          kind,
          level,
        })),
    ),
  ]
}

/** Of people at once: their next check says what changed. Of programs later, together (src/record/follow-up.ts). */
const digestsOfPrograms = (rows: readonly CheckRow[]) =>
  [
    ...Map.groupBy(
      rows.filter(({ check }) => check.channel === 'api'),
      (row) => row.organisationId,
    ),
  ].map(([organisation_id, ofOne]) => {
    const ids = ofOne.map(({ id }) => id)
    const [id, last_id] = ids.reduce(
      ([first, last], one) => [one < first ? one : first, one > last ? one : last],
      [ids[0]!, ids[0]!],
    )
    return { organisation_id, id, last_id }
  })

let lastKey: { readonly text: string; readonly key: KeyObject } | undefined

function sealed({ prefix, key: text }: SealingKey, organisationId: string, id: string, parts: readonly string[]) {
  if (lastKey?.text !== text) lastKey = { text, key: createSecretKey(Buffer.from(text, 'base64url')) }
  return `${prefix}${sealUnder(lastKey.key, packed(parts), placeOfText(organisationId, id))}`
}

export interface ChargedList extends Omit<ChargedCheck, 'check'> {
  readonly list: ListToKeep
}

export const listsToInsert = (dialect: Pick<Dialect, 'engine'>, charged: readonly ChargedList[]): Statement[] =>
  keptLists.toInsert(
    dialect,
    charged.map((one) => ({
      organisation_id: one.organisationId,
      id: one.id,
      created_at: timeOfId(one.id),
      kind: one.list.kind,
      channel: one.list.channel,
      credential_id: one.credentialId,
      person_id: one.list.personId,
      intelligence: one.list.intelligence,
      repeat_key: one.repeatKey,
      billing: one.billing,
      made: 0,
      sealed: one.text,
    })),
  )
