import type { Evidence, Tag } from '../../snapshot/types.ts'

/** Queries on evidence. Plain loops: they run dozens of times per indicator, usually over empty lists. */

export const NO_EVIDENCE: readonly Evidence[] = []

export function tagged(evidence: readonly Evidence[], tags: Tag | ReadonlySet<Tag>): readonly Evidence[] {
  let found: Evidence[] | undefined
  for (let i = 0; i < evidence.length; i++) {
    const item = evidence[i] as Evidence
    if (typeof tags === 'string' ? item.tag !== tags : !tags.has(item.tag)) continue
    found ??= []
    found.push(item)
  }
  return found ?? NO_EVIDENCE
}

export function hasTag(evidence: readonly Evidence[], tag: Tag): boolean {
  for (let i = 0; i < evidence.length; i++) if ((evidence[i] as Evidence).tag === tag) return true
  return false
}

export function surest(evidence: readonly Evidence[], tag: Tag): Evidence | undefined {
  let best: Evidence | undefined
  for (let i = 0; i < evidence.length; i++) {
    const item = evidence[i] as Evidence
    if (item.tag === tag && (best === undefined || item.confidence > best.confidence)) best = item
  }
  return best
}

/** True for a forwarding service. Lists of throw-away mail are broad and name these too. */
export function isRelay({ own, above }: Readonly<Record<'own' | 'above', readonly Evidence[]>>): boolean {
  return hasTag(own, 'relay') || hasTag(above, 'relay')
}

// Lists that mix free mail with company domains give them a low confidence.
const FREE_MAIL_CONFIDENCE_MIN = 0.5

/** True if anyone can open a mailbox under the domain. */
export function isFreeMail(evidence: readonly Evidence[]): boolean {
  const item = surest(evidence, 'freemail')
  return item !== undefined && item.confidence >= FREE_MAIL_CONFIDENCE_MIN
}

/** Joins two lists, usually empty ones, without a copy if one is empty. */
export function joined<T>(a: readonly T[], b: readonly T[]): readonly T[] {
  return b.length === 0 ? a : a.length === 0 ? b : [...a, ...b]
}
