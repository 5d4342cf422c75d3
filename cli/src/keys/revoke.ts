import { type AnswerOptions, answerText } from '../answer.ts'
import { connect } from '../client.ts'
import type { Context } from '../context.ts'

/** `assay keys revoke` */
export async function revokeKey(context: Context, id: string, options: AnswerOptions): Promise<void> {
  await connect(context).assay.call('DELETE /v1/organisation/keys/{key_id}', {
    path: { key_id: id },
    signal: context.interrupted,
  })
  context.stdout.write(answerText({ id, revoked: true }, options) ?? `Key ${id} has ended.\n`)
}
