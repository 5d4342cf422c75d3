import { csvRow } from '@assay/reader/csv'
import type { Answer } from '../api/client.ts'
import { type OrganisationApi, saveAs } from '../api/organisation.ts'
import { day } from '../shell/format.ts'
import { ConsolePage, ProblemNotice, QuietButton } from '../shell/page.tsx'
import { LogPanel, twoLines } from '../shell/table.tsx'
import { useFile, usePages } from '../shell/use-session.ts'

/** For the operator: the answers that customers report as wrong. */
export function Component() {
  const file = useFile(exportRows)
  return (
    <ConsolePage of="feedback">
      <LogPanel
        title="Wrong answers"
        query={usePages('GET /api/operator/feedback', {})}
        empty="Nobody has reported an answer as wrong."
        action={
          <>
            <QuietButton size="xs" of={file} label="Download CSV" />
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

/** The columns of `assayd feedback export`. */
async function exportRows(api: OrganisationApi): Promise<void> {
  let csv = csvRow(['kind', 'indicator', 'label', 'score', 'signals', 'reason', 'day'])
  let cursor: string | null = null
  do {
    const query: { cursor?: string } = cursor === null ? {} : { cursor }
    const page: Answer<'GET /api/operator/feedback'> = await api.call('GET /api/operator/feedback', { query })
    for (const { kind, indicator, label, score, signals, reason, given_at } of page.data) {
      const codes = signals.map(({ code }) => code).join(' ')
      csv += csvRow([kind, indicator, label, score, codes, reason, given_at.slice(0, 10)])
    }
    cursor = page.next_cursor
  } while (cursor !== null)
  saveAs(new Blob([csv], { type: 'text/csv' }), 'assay-feedback.csv')
}
