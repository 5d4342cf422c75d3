import { csvRow } from '@assay/reader/csv'
import { KIND_WORDS } from '@assay/reader/kinds'
import { whyNothingToCheck } from '@assay/sdk'
import { Button, Group, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { saveAs } from '../api/organisation.ts'
import { levelOf } from '../check/gauge.tsx'
import { capitalised, count } from '../shell/money.ts'
import { Scroller } from '../shell/page.tsx'
import { REFUSED, type Run } from './run.ts'
import { type LevelFilter, type SortBy, selectRecords, standingOf } from './view.ts'

const ROW_HEIGHT_PX = 40
const CSV_CHUNK_ROWS = 10_000

/** Every record with its answer. Only the rows in sight exist in the page. */
export function Results({ run }: { run: Run }) {
  const { job, scores, reserved } = run
  const [level, setLevel] = useState<LevelFilter>('all')
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState<{ by: SortBy; descending: boolean }>({ by: 'score', descending: true })
  const deferredSearch = useDeferredValue(search)
  const lowerCase = useMemo(() => job.records.map((record) => record.toLowerCase()), [job])
  const view = useMemo(
    () =>
      selectRecords(
        { lowerCase, scores, reserved },
        { level, search: deferredSearch.trim().toLowerCase(), sortBy: sort.by, descending: sort.descending },
      ),
    [lowerCase, scores, reserved, level, deferredSearch, sort],
  )
  const scroller = useRef<HTMLElement>(null)
  const rows = useVirtualizer({
    count: view.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: 12,
  })
  const sortOn = (by: SortBy) => () =>
    setSort((now) => ({ by, descending: now.by === by ? !now.descending : by === 'score' }))
  const head = (by: SortBy, label: string) => (
    <th scope="col" aria-sort={sort.by === by ? (sort.descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" className="sort" onClick={sortOn(by)}>
        {label} <span aria-hidden="true">{sort.by === by ? (sort.descending ? '↓' : '↑') : ''}</span>
      </button>
    </th>
  )
  const items = rows.getVirtualItems()
  const above = items[0]?.start ?? 0
  const below = rows.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <section className="panel" aria-labelledby="answers">
      <Group justify="space-between" mb="sm" gap="sm">
        <h2 id="answers" className="panel-title results-title">
          Answers
        </h2>
        <Button variant="default" size="sm" onClick={() => download(run)}>
          Download CSV
        </Button>
      </Group>
      <Group mb="sm" gap="sm">
        <SegmentedControl
          aria-label="Level"
          className="level-filter"
          value={level}
          onChange={(value) => setLevel(value as LevelFilter)}
          data={[
            { value: 'all', label: 'All' },
            { value: 'high', label: 'High' },
            { value: 'medium', label: 'Medium' },
            { value: 'low', label: 'Low' },
            { value: 'none', label: 'None' },
          ]}
        />
        <TextInput
          aria-label="Find"
          placeholder="Find"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Text size="sm" c="dimmed" role="status">
          {count(view.length)} of {count(job.records.length)}
        </Text>
      </Group>
      <Scroller ref={scroller} className="rows" label="Answers, scrolling">
        <table className="plain-table rows-table" aria-rowcount={view.length + 1}>
          <thead>
            <tr>
              {head('row', 'Row')}
              {head('record', capitalised(KIND_WORDS[job.kind].one))}
              <th scope="col">Level</th>
              {head('score', 'Score')}
            </tr>
          </thead>
          <tbody>
            <Gap heightPx={above} />
            {items.map(({ index }) => (
              <Row key={view[index]} run={run} record={view[index] ?? 0} rowIndex={index + 2} />
            ))}
            <Gap heightPx={below} />
          </tbody>
        </table>
      </Scroller>
    </section>
  )
}

/** Stands for the rows out of sight. */
function Gap({ heightPx }: { heightPx: number }) {
  if (heightPx <= 0) return null
  return (
    <tr>
      <td colSpan={4} className="gap" style={{ height: heightPx }} />
    </tr>
  )
}

function Row({ run: { job, scores, reserved }, record, rowIndex }: { run: Run; record: number; rowIndex: number }) {
  const score = scores[record] ?? REFUSED
  const standing = standingOf(score, reserved[record])
  const times = job.times[record] ?? 1
  return (
    <tr aria-rowindex={rowIndex}>
      <td>
        {job.rowOf[record]}
        {times > 1 ? ` ×${times}` : ''}
      </td>
      <td className="mono" title={job.records[record]}>
        {job.records[record]}
      </td>
      <td>
        {standing === 'none' ? (
          <NoLevel score={score} why={whyNothingToCheck(job.kind, job.records[record] ?? '')} />
        ) : (
          <span className="level" data-level={standing}>
            {standing}
          </span>
        )}
      </td>
      <td>{standing === 'none' ? '–' : score}</td>
    </tr>
  )
}

function NoLevel({ score, why }: { score: number; why: string | undefined }) {
  if (score === REFUSED || score < 0)
    return <span className="no-answer">{score === REFUSED ? 'Invalid' : 'Not yet'}</span>
  return (
    <span className="no-answer nothing-to-check" title={why}>
      Nothing to check
    </span>
  )
}

/** In the order of the file, one row for each indicator. */
function download({ job, scores, reserved }: Run): void {
  const parts = [csvRow(['row', job.kind, 'times', 'risk', 'risk_score', 'note'])]
  for (let start = 0; start < job.records.length; start += CSV_CHUNK_ROWS) {
    const chunk = job.records.slice(start, start + CSV_CHUNK_ROWS).map((record, at) => {
      const index = start + at
      const score = scores[index] ?? REFUSED
      const answer = score < 0 ? [score === REFUSED ? 'invalid' : '', ''] : [levelOf(score), score]
      const isReserved = score >= 0 && standingOf(score, reserved[index]) === 'none'
      const note = isReserved ? `nothing to check: ${whyNothingToCheck(job.kind, record)}` : ''
      return csvRow([job.rowOf[index] ?? 0, record, job.times[index] ?? 1, ...answer, note])
    })
    parts.push(chunk.join(''))
  }
  // The mark makes spreadsheets read it as UTF-8.
  saveAs(
    new Blob(['\ufeff', ...parts], { type: 'text/csv;charset=utf-8' }),
    `assay-${job.name.replace(/\.[a-z]+$/i, '').replace(/[^\w-]+/g, '-')}.csv`,
  )
}
