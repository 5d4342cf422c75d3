import { writeFileSync } from 'node:fs'
import type { Operations } from '@assay/sdk'
import type { Command } from 'commander'
import type { Answer } from '../answer.ts'
import { call, connect, given } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { harmless } from '../terminal/paint.ts'

type Decision = Operations['PUT /v1/checks/{check_id}/decision']['body']['decision']
type Feedback = Operations['PUT /v1/checks/{check_id}/feedback']['body']

export async function decideCheck(
  context: Context,
  id: string,
  decision: string,
  { note, step: steps }: { readonly note?: string; readonly step?: readonly string[] },
): Promise<Answer> {
  const check = await call(context, 'PUT /v1/checks/{check_id}/decision', {
    path: { check_id: id },
    body: { decision: decision as Decision, ...given({ note, steps }) },
  })
  const isDone = check.decision?.state !== 'waiting_for_second'
  const done = `Decided: ${decision.replace('_', ' ')}.`
  return { value: check, text: () => (isDone ? done : 'Noted. The decision waits for a second person.') }
}

export async function reviewCheck(context: Context, id: string, { assign }: { readonly assign?: string }) {
  const body = { assigned_to: assign ?? null }
  const check = await call(context, 'PUT /v1/checks/{check_id}/review', { path: { check_id: id }, body })
  const name = check.review?.assigned_to?.name
  const assigned = name ? `, assigned to ${harmless(name)}` : ''
  return { value: check, text: () => `The check is on the work list${assigned}.` }
}

export async function countReviews(context: Context): Promise<Answer> {
  const counts = await call(context, 'GET /v1/reviews')
  return { value: counts, text: () => `${counts.open} open, ${counts.assigned_to_me} of them for you.` }
}

export async function giveFeedback(
  context: Context,
  id: string,
  wrong: string,
  { reason, list }: { readonly reason: string; readonly list?: string },
): Promise<Answer> {
  const body = { wrong, reason, own_list: list ?? null } as Feedback
  const check = await call(context, 'PUT /v1/checks/{check_id}/feedback', { path: { check_id: id }, body })
  return { value: check, text: () => 'Reported to the operator of the service.' }
}

const PROOFS = {
  receipt: { name: 'GET /v1/checks/{check_id}/receipt', type: 'application/jose', ending: 'jws' },
  evidence: { name: 'GET /v1/checks/{check_id}/evidence.pdf', type: 'application/pdf', ending: 'pdf' },
} as const

/** The name of the command is the form of the proof. */
export async function saveProof(context: Context, id: string, file: string | undefined, _: object, command: Command) {
  const { name, type, ending } = PROOFS[command.name() as keyof typeof PROOFS]
  const { assay } = connect(context)
  const proof = await assay.callForFile(name, type, { path: { check_id: id }, signal: context.interrupted })
  const place = file ?? `${id}.${ending}`
  try {
    writeFileSync(place, Buffer.from(await proof.arrayBuffer()), { mode: 0o600 })
  } catch (error) {
    throw new CliError(`${place} cannot be written (${(error as Error).message}).`)
  }
  context.stdout.write(`Written to ${harmless(place)}.\n`)
}
