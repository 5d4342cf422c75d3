import { Problem } from '../../errors.ts'
import type { GivenProof } from './given-proof.ts'

export function fieldOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined
}

/** A field of a JSON body that must be text of a bounded length. */
export function textField(body: unknown, name: string, lengthMax: number): string {
  const value = fieldOf(body, name)
  if (typeof value === 'string' && value.length <= lengthMax && !value.includes('\0')) return value
  throw new Problem('validation_failed', {
    detail: `${name} must be text of at most ${lengthMax} characters.`,
    errors: [{ pointer: `/${name}`, code: 'invalid', detail: `Give text of at most ${lengthMax} characters.` }],
  })
}

const CODE_LENGTH_MAX = 100

export function proofIn(body: unknown): GivenProof {
  const code = (name: string) =>
    fieldOf(body, name) === undefined ? undefined : textField(body, name, CODE_LENGTH_MAX)
  return { passkey: fieldOf(body, 'passkey'), code: code('code'), recovery_code: code('recovery_code') }
}
