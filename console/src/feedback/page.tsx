import { csvRow } from '@assay/reader/csv'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import type { FeedbackRow } from '../api/generated/pages.ts'
import { type OrganisationApi, saveAs } from '../api/organisation.ts'
import { day } from '../shell/format.ts'
import { ConsolePage, ProblemNotice, QuietButton } from '../shell/page.tsx'
import { LogPanel, twoLines } from '../shell/table.tsx'
import { useApi, useFile } from '../shell/use-session.ts'

/** For the operator: the answers that customers report as wrong. */
export function Component() {
  const feedback = useInfiniteQuery(feedbackQuery(useApi()))
  const file = useFile(exportRows)
  return (
    <ConsolePage
      title="Feedback"
      lead="Answers that customers report as wrong, with the signals that decided. The export is for the laboratory."
    >
      <LogPanel
        title="Wrong answers"
        query={feedback}
        empty="Nobody has reported an answer as wrong."
        action={
          <>
            <QuietButton size="xs" loading={file.busy} onClick={() => file.submit()} label="Download CSV" />
            <ProblemNotice error={file.error} />
          </>
        }
        columns={{
          When: [
            ({ given_at }) => twoLines(day(given_at), <span className="mono">{given_at.slice(11, 16)}</span>),
            'when',
          ],
          Indicator: ({ indicator, kind }) => twoLines(<bdi className="mono breakable">{indicator}</bdi>, kind),
          Answer: ({ risk, score }) => twoLines(risk, score),
          'Customer says': ({ label, reason }) => twoLines(label, <bdi>{reason}</bdi>),
          Signals: ({ signals }) => signals.map(({ code, effect }) => `${code} ${effect}`).join(', ') || 'none',
          Organisation: [({ organisation_id: id }) => id, 'mono'],
        }}
      />
    </ConsolePage>
  )
}

const readPage = (api: OrganisationApi, cursor: string | null, signal?: AbortSignal) =>
  api.call('GET /api/operator/feedback', { query: cursor === null ? {} : { cursor }, signal })

const feedbackQuery = (api: OrganisationApi) =>
  infiniteQueryOptions({
    queryKey: [api.organisationId, 'GET /api/operator/feedback'],
    queryFn: ({ signal, pageParam }) => readPage(api, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })

/** The columns of `assayd feedback export`. */
async function exportRows(api: OrganisationApi): Promise<void> {
  let csv = csvRow(['kind', 'indicator', 'label', 'score', 'signals', 'reason', 'day'])
  let cursor: string | null = null
  do {
    const page: { data: readonly FeedbackRow[]; next_cursor: string | null } = await readPage(api, cursor)
    for (const { kind, indicator, label, score, signals, reason, given_at } of page.data) {
      const codes = signals.map(({ code }) => code).join(' ')
      csv += csvRow([kind, indicator, label, score, codes, reason, given_at.slice(0, 10)])
    }
    cursor = page.next_cursor
  } while (cursor !== null)
  saveAs(new Blob([csv], { type: 'text/csv' }), 'assay-feedback.csv')
}
