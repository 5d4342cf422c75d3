import { type AnswerOptions, answerText } from '../answer.ts'
import { connect } from '../client.ts'
import type { Context } from '../context.ts'
import { newKeyText } from './api-key.ts'

/** `assay keys rotate` */
export async function rotateKey(
  context: Context,
  id: string,
  options: AnswerOptions & { graceHours?: number },
): Promise<void> {
  const key = await connect(context).assay.call('POST /v1/organisation/keys/{key_id}/rotate', {
    path: { key_id: id },
    body: options.graceHours === undefined ? {} : { grace_hours: options.graceHours },
    signal: context.interrupted,
  })
  context.stdout.write(answerText(key, options) ?? newKeyText(key))
}
