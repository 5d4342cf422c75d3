import { type AnswerOptions, answerText } from '../answer.ts'
import { connect } from '../client.ts'
import type { Context } from '../context.ts'
import { harmless, tabulate } from '../terminal/paint.ts'
import type { KeyPage } from './api-key.ts'

const PAGES_MAX = 100

/** `assay keys list` */
export async function listKeys(context: Context, options: AnswerOptions): Promise<void> {
  const { assay } = connect(context)
  const keys: KeyPage['data'][number][] = []
  let cursor: string | null = null
  for (let page = 0; page < PAGES_MAX; page++) {
    const query: { cursor?: string } = cursor === null ? {} : { cursor }
    const answer: KeyPage = await assay.call('GET /v1/organisation/keys', { query, signal: context.interrupted })
    keys.push(...answer.data)
    cursor = answer.next_cursor
    if (cursor === null) break
  }
  const answer = answerText(keys, options)
  if (answer !== undefined) {
    context.stdout.write(answer)
    return
  }
  const day = (time: string | null) => time?.slice(0, 10) ?? '-'
  const rows = keys.map((key) => [
    key.id,
    harmless(key.name),
    key.state,
    day(key.last_used_at),
    day(key.expires_at),
    key.scopes.join(' '),
  ])
  const header = ['KEY', 'NAME', 'STATE', 'LAST USED', 'ENDS', 'SCOPES']
  const none = 'There is no key yet. Make one: assay keys create NAME'
  context.stdout.write(`${rows.length > 0 ? tabulate(header, rows, context.stdout.columns) : none}\n`)
}
