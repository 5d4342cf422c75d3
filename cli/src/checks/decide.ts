import { writeFileSync } from 'node:fs'
import type { Operations } from '@assay/sdk'
import { type AnswerOptions, printAnswer } from '../answer.ts'
import { connect } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { harmless } from '../terminal/paint.ts'

/** Decisions about checks on record, their work list, feedback, and proof. */

type Decision = Operations['PUT /v1/checks/{check_id}/decision']['body']['decision']
type Feedback = Operations['PUT /v1/checks/{check_id}/feedback']['body']

export async function decideCheck(
  context: Context,
  id: string,
  decision: string,
  options: AnswerOptions & { readonly note?: string; readonly step?: readonly string[] },
): Promise<void> {
  const { note, step } = options
  const check = await connect(context).call('PUT /v1/checks/{check_id}/decision', {
    path: { check_id: id },
    body: { decision: decision as Decision, ...(note !== undefined && { note }), ...(step && { steps: [...step] }) },
  })
  printAnswer(context, check, options, () =>
    check.decision?.state === 'waiting_for_second'
      ? 'Noted. The decision waits for a second person.\n'
      : `Decided: ${decision.replace('_', ' ')}.\n`,
  )
}

export async function reviewCheck(
  context: Context,
  id: string,
  options: AnswerOptions & { readonly assign?: string },
): Promise<void> {
  const check = await connect(context).call('PUT /v1/checks/{check_id}/review', {
    path: { check_id: id },
    body: { assigned_to: options.assign ?? null },
  })
  const name = check.review?.assigned_to?.name
  printAnswer(
    context,
    check,
    options,
    () => `The check is on the work list${name ? `, assigned to ${harmless(name)}` : ''}.\n`,
  )
}

export async function countReviews(context: Context, options: AnswerOptions): Promise<void> {
  const counts = await connect(context).call('GET /v1/reviews')
  printAnswer(context, counts, options, () => `${counts.open} open, ${counts.assigned_to_me} of them for you.\n`)
}

export async function giveFeedback(
  context: Context,
  id: string,
  wrong: string,
  options: AnswerOptions & { readonly reason: string; readonly list?: string },
): Promise<void> {
  const { reason, list = null } = options
  const check = await connect(context).call('PUT /v1/checks/{check_id}/feedback', {
    path: { check_id: id },
    body: { wrong, reason, own_list: list } as Feedback,
  })
  printAnswer(context, check, options, () => 'Reported to the operator of the service.\n')
}

const PROOFS = {
  receipt: { name: 'GET /v1/checks/{check_id}/receipt', type: 'application/jose', ending: 'jws' },
  evidence: { name: 'GET /v1/checks/{check_id}/evidence.pdf', type: 'application/pdf', ending: 'pdf' },
} as const

/** Writes the receipt or the evidence into a file. */
export async function saveProof(
  context: Context,
  form: keyof typeof PROOFS,
  id: string,
  file: string | undefined,
): Promise<void> {
  const { name, type, ending } = PROOFS[form]
  const { assay } = connect(context)
  const proof = await assay.callForFile(name, type, { path: { check_id: id } })
  const place = file ?? `${id}.${ending}`
  try {
    writeFileSync(place, Buffer.from(await proof.arrayBuffer()), { mode: 0o600 })
  } catch (error) {
    throw new CliError(`${place} cannot be written (${(error as Error).message}).`)
  }
  context.stdout.write(`Written to ${harmless(place)}.\n`)
}
