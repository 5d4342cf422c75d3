import { hostParts, reservedName } from '../lib/domain.ts'
import { parseIp, specialAddress } from '../lib/ip.ts'
import type { Kind } from '../lib/kinds.ts'
import type { Sort } from './facts.ts'

export interface Question {
  readonly sort: Sort
  readonly name: string
}

const NONE: readonly Question[] = []

// The questions about an indicator. `name` is its host name or address in normal form: the local part of a mailbox
// never comes here. Names and addresses outside the public internet are never asked about.
export function questionsAbout(kind: Kind, name: string, sorts: ReadonlySet<Sort>): readonly Question[] {
  if (kind === 'ip') {
    const ip = parseIp(name)
    return ip && specialAddress(ip) === undefined && sorts.has('reverse') ? [{ sort: 'reverse', name }] : NONE
  }
  const parts = hostParts(name)
  const { registrable } = parts
  if (registrable === undefined || reservedName(parts) !== undefined) return NONE
  const questions: Question[] = []
  // Facts about a platform say nothing about its customers.
  const isTenant = parts.platform !== undefined && parts.tenant !== undefined
  if (!isTenant && sorts.has('registration')) questions.push({ sort: 'registration', name: registrable })
  if (!isTenant && sorts.has('zone')) questions.push({ sort: 'zone', name: registrable })
  if (sorts.has('host')) questions.push({ sort: 'host', name })
  if (sorts.has('certificate')) questions.push({ sort: 'certificate', name })
  return questions
}
