import type { Coverage } from './generated/api.ts'

type Live = Coverage['live']
type HeldBack = NonNullable<Live['held_back']>[number]

const REASONS: Readonly<Record<HeldBack, string>> = {
  zone_limit: 'your organisation asked about many names of this zone',
  zone_silent: 'the name servers of the domain do not answer',
  server_silent: 'a name server or registry does not answer',
  queue_full: 'too many look-ups of your organisation wait',
}

/** A sentence for people about missing facts, with the reasons if the service knows them; undefined if none is missing. */
export function liveNote({ status, held_back = [] }: Live): string | undefined {
  if (status === 'off') return 'Live look-ups are off on this server.'
  if (status === 'complete') return undefined
  // A later service may have further reasons.
  const reasons = held_back.map((reason) => REASONS[reason]).filter((reason) => reason !== undefined)
  const why = reasons.length === 0 ? ', or not in time' : `: ${reasons.join('; ')}`
  return `Some facts were not available${why}. A new check, charged as usual, may have them.`
}
