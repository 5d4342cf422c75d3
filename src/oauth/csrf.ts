import type { FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import type { Sealer } from './seal.ts'

/**
 * A page's proof that it is ours: a tag over the cookie, which another site can make a browser send but cannot read.
 * `subject` names the purpose as well, so that one page's tag is worth nothing to another.
 */
export async function requireCsrf(request: FastifyRequest, sealer: Sealer, subject: string): Promise<void> {
  const given = request.headers['x-csrf-token']
  if (typeof given !== 'string' || !(await sealer.isTag(subject, given))) {
    throw new Problem('form_outdated', {
      detail: 'This form is out of date or was sent from elsewhere. Load the page again.',
    })
  }
}

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
