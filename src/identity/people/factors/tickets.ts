/**
 * What a browser carries from one step of a proof to the next: sealed, for minutes, and spent with what it was for.
 *
 *  1. A ticket is kept nowhere, so nothing that a stranger begins leaves a row, and every node of a cluster reads it.
 *  2. It is spent in the transaction of what it opens. Only then is it written down, until it would have ended anyway.
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

/** What each kind of ticket says beside its challenge. */
export interface TicketFacts {
  /** To sign in with a passkey alone: nobody is known yet. */
  sign_in: { readonly browser: string }
  /** The password was right; `password` names the hash that it was compared with. */
  second_step: { readonly personId: string; readonly password: string; readonly browser: string }
  /** Somebody signed in confirms who they are. */
  prove: { readonly personId: string; readonly sessionId: string }
  add_passkey: { readonly personId: string; readonly sessionId: string }
}
export type TicketKind = keyof TicketFacts

export type Ticket<Kind extends TicketKind> = TicketFacts[Kind] & {
  /** What a passkey has to sign; 256 random bits, base64url. */
  readonly challenge: string
  readonly endsAtMs: number
}

export function makeTicket<Kind extends TicketKind>(
  ring: Ring,
  kind: Kind,
  facts: TicketFacts[Kind],
  nowMs: number,
): { readonly ticket: string; readonly challenge: string } {
  const challenge = randomBytes(32).toString('base64url')
  const content: Ticket<Kind> = { ...facts, challenge, endsAtMs: nowMs + TICKET_MS }
  return { ticket: ring.seal(PURPOSE).seal(JSON.stringify(content), kind), challenge }
}

/** What the ticket says; a problem when it is none of this kind, or has ended. */
export async function openTicket<Kind extends TicketKind>(
  ring: Ring,
  kind: Kind,
  ticket: string,
  nowMs: number,
): Promise<Ticket<Kind>> {
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

/** Rule 2: a second use is refused, on whichever node. */
export async function spendTicket(tx: Tx, { challenge }: { readonly challenge: string }): Promise<void> {
  const once = { attemptsMax: 1, windowMs: 2 * TICKET_MS }
  const { taken } = await takeAttempts(tx, `ticket ${challenge}`, once, tx.nowMs, { wanted: 1 })
  if (taken === 0) throw ticketEnded()
}

export function ticketEnded(cause?: unknown): Problem {
  return new Problem('conflict', { detail: 'This step has ended or was used already. Start it again.', cause })
}
