/**
 * Tickets: sealed state that a browser carries between the steps of a proof. They expire in minutes and are used once.
 *
 *  1. A ticket is not stored, so strangers leave no rows, and every node can read it.
 *  2. It is marked as used in the transaction of the session it opens; the mark is kept until the ticket would expire.
 */
import { randomBytes } from 'node:crypto'
import type { Tx } from '../../../db/sql.ts'
import { Problem } from '../../../errors.ts'
import { MINUTE_MS } from '../../../lib/clock.ts'
import type { Ring } from '../../../lib/seal.ts'
import { takeAttempts } from '../throttle.ts'

const PURPOSE = 'steps of a proof'
export const TICKET_MS = 5 * MINUTE_MS
export const TICKET_LENGTH_MAX = 2000

/** The content of each kind of ticket, beside its challenge. */
export interface TicketFacts {
  /** Sign-in with a passkey alone: no person is known yet. */
  sign_in: { readonly browser: string }
  /** The password was correct; `password` is a digest of the hash it was compared with. */
  second_step: { readonly personId: string; readonly password: string; readonly browser: string }
  prove: { readonly personId: string; readonly sessionId: string }
  add_passkey: { readonly personId: string; readonly sessionId: string }
}
export type TicketKind = keyof TicketFacts

export type Ticket<Kind extends TicketKind> = TicketFacts[Kind] & {
  /** The challenge for a passkey: 256 random bits, base64url. */
  readonly challenge: string
  readonly endsAtMs: number
}

export function makeTicket<Kind extends TicketKind>(ring: Ring, kind: Kind, facts: TicketFacts[Kind], nowMs: number) {
  const challenge = randomBytes(32).toString('base64url')
  const content: Ticket<Kind> = { ...facts, challenge, endsAtMs: nowMs + TICKET_MS }
  return { ticket: ring.seal(PURPOSE).seal(JSON.stringify(content), kind), challenge }
}

/** Opens a ticket; throws a Problem when it has another kind or has expired. */
export async function openTicket<Kind extends TicketKind>(ring: Ring, kind: Kind, ticket: string, nowMs: number) {
  const text = await ring
    .seal(PURPOSE)
    .open(ticket, kind)
    .catch((cause: unknown) => {
      throw ticketEnded(cause)
    })
  const content = JSON.parse(text) as Ticket<Kind>
  if (content.endsAtMs <= nowMs) throw ticketEnded()
  return content
}

/** Rule 2: a second use is refused on every node. */
export async function spendTicket(tx: Tx, { challenge }: { readonly challenge: string }): Promise<void> {
  const once = { attemptsMax: 1, windowMs: 2 * TICKET_MS }
  const { taken } = await takeAttempts(tx, `ticket ${challenge}`, once, tx.nowMs, { wanted: 1 })
  if (taken === 0) throw ticketEnded()
}

export function ticketEnded(cause?: unknown): Problem {
  return new Problem('conflict', { detail: 'This step has expired or was already used. Start it again.', cause })
}
