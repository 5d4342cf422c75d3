/**
 * Sends the messages in the outbox.
 *
 *  1. An attempt is recorded before it is made. A crash during an attempt leads to another one, with the same
 *     Message-ID.
 *  2. A permanently refused recipient is not tried again. Any other failure is retried after a growing wait: at most
 *     eight attempts in all, and none after the message's expiry.
 *  3. A recipient that is not a valid address gets no mail: another mailbox might get it.
 *  4. An outage of the mail server does not use up delivery attempts: all mail waits until the server is back. A
 *     failure after the server has accepted the sender uses up one attempt of that mail and does not delay others.
 *  5. Several mails are sent at a time, one to each recipient, those with a link first: a person waits for them. Notices
 *     leave some connections free. A mail that hangs keeps its connection, and another one is opened for the rest.
 *  6. The job fails while mail waits and the server accepts none for anybody: the status and the log name the reason.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { changeIn, type Sql, type Tx } from '../db/sql.ts'
import type { Job } from '../jobs/runner.ts'
import { parseRecipient } from '../lib/address-text.ts'
import { type Clock, MINUTE_MS, SECOND_MS } from '../lib/clock.ts'
import type { Ring } from '../lib/seal.ts'
import {
  countWaiting,
  dueMessages,
  finishMessage,
  noteFailure,
  type OutboxMessage,
  openSecret,
  takeMessage,
  unclaimMessage,
} from '../outbox/outbox.ts'
import type { RenderedMail } from './letter.ts'
import { MAIL_JOB, type MailFacts, type MailKind } from './mail.ts'
import { type MailSettings, type MailWay, openMailWay, type SendOutcome } from './smtp.ts'
import { renderMail, UnsendableMail } from './templates.ts'

const MAIL_PERIOD_MS = 5 * SECOND_MS
/** Mails sent at a time; a server that accepts fewer connections gets fewer. */
const LANES = 5
/** The lanes that notices leave free. */
const LINK_LANES = 2
/** A mail that takes longer hangs: it no longer counts as one of the lanes. */
const HANGS_MS = 15 * SECOND_MS
/** Connections in all, with those of mails that hang. */
const CONNECTIONS_MAX = 20
/** The waits before the second attempt, the third and so on. */
const WAITS_MS = [1, 5, 15, 60, 120, 240, 480].map((minutes) => minutes * MINUTE_MS)
export const TRIES_MAX = WAITS_MS.length + 1
/** Between two attempts at a server that accepts nothing. */
const REST_MS = MINUTE_MS
/** The time for a mail in progress to finish while the node stops. */
const STOP_MS_MAX = 2 * SECOND_MS

export type MailOutcome = 'sent' | 'delayed' | 'refused' | 'failed' | 'expired'

export type Addressee = Pick<OutboxMessage, 'recipient' | 'person_id'>

export interface MailJobDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly ring: Ring
  readonly settings: MailSettings
  /** Called directly before a mail with a link is sent: an invitation may be withdrawn by then. */
  readonly isWanted: (message: OutboxMessage, link: string) => Promise<boolean>
  readonly timeZoneOf?: (personId: string) => Promise<string | undefined>
  /** Called in the transaction that finishes the message. */
  readonly onRefused: (tx: Tx, addressee: Addressee) => Promise<void>
  readonly onSent: (tx: Tx, addressee: Addressee) => Promise<void>
  readonly onOutcome?: ((kind: string, outcome: MailOutcome) => void) | undefined
  /** Default: the configured mail server. */
  readonly openWay?: (settings: MailSettings) => Promise<MailWay>
  readonly hangsMs?: number
}

export function createMailJob(deps: MailJobDependencies): Job {
  let restUntilMs = 0
  const server = watchServer()
  return {
    name: MAIL_JOB,
    periodMs: MAIL_PERIOD_MS,
    async run(signal) {
      if (deps.clock.now() >= restUntilMs && (await sendDue(deps, signal, server.note))) {
        restUntilMs = deps.clock.now() + REST_MS
      }
      const trouble = server.trouble()
      if (trouble !== undefined && (await countWaiting(deps.sql, 'mail')) > 0) {
        throw new Error(`Mail cannot be sent. It waits and is retried. ${trouble}`)
      }
    },
  }
}

type Note = (result: SendOutcome, recipient: string) => void

/** Finds out why no mail goes out for anybody, until one goes out again. The reason names nobody. */
function watchServer() {
  let trouble: string | undefined
  let refusal: { readonly code: string; readonly recipient: string } | undefined
  const note: Note = (result, recipient) => {
    if (result.outcome === 'sent') {
      refusal = undefined
      trouble = undefined
      return
    }
    const { outcome, error, atRecipient } = result
    if (outcome === 'unreachable') trouble = error
    // A permanent refusal that is not about the mailbox will meet the next mail too.
    if (outcome !== 'delayed' || !error.startsWith('5')) return
    const code = error.slice(0, 3)
    // A refusal at one recipient may still be about that recipient.
    if (!atRecipient || (refusal?.code === code && refusal.recipient !== recipient)) trouble = error
    if (atRecipient) refusal = { code, recipient }
  }
  return { note, trouble: () => trouble }
}

/** Sends the due messages until none is left; true when the server accepted nothing. Rule 5. */
async function sendDue(deps: MailJobDependencies, signal: AbortSignal, note: Note): Promise<boolean> {
  const { sql, clock, hangsMs = HANGS_MS, openWay = openMailWay } = deps
  const sending = new Map<string, { readonly sinceMs: number; readonly done: Promise<void> }>()
  const ways = new Set<MailWay>()
  const idle: MailWay[] = []
  let lanes = LANES
  let sent = 0
  let isDown = false
  let failure: { readonly error: unknown } | undefined
  const closeAll = () => {
    for (const way of ways) way.close()
  }
  const stop = () => {
    setTimeout(closeAll, STOP_MS_MAX).unref()
  }
  const isHanging = (sinceMs: number) => performance.now() - sinceMs >= hangsMs
  const busy = (except?: string) =>
    [...sending].filter(([recipient, { sinceMs }]) => recipient !== except && !isHanging(sinceMs)).length

  async function send(message: OutboxMessage, mail: ReadyMail): Promise<void> {
    // Before the connection opens: another one may deliver its mail meanwhile, which shows that the server works.
    const sentBefore = sent
    const way = idle.pop() ?? (await openWay(deps.settings))
    ways.add(way)
    const result = await tryToSend(deps, message, mail, way)
    if (result.outcome === 'sent') sent++
    if (result.outcome === 'unreachable') {
      // The server may be full: the next mail takes a connection that has worked.
      ways.delete(way)
      way.close()
    } else {
      idle.push(way)
    }
    const others = busy(message.recipient)
    if (result.outcome === 'unreachable' && (others > 0 || sent > sentBefore)) {
      // A server that serves other connections is not down: it may accept no more of them.
      lanes = Math.max(1, Math.min(lanes, others))
      return
    }
    if (!signal.aborted) note(result, message.recipient)
    isDown ||= result.outcome === 'unreachable'
  }

  async function begin(message: OutboxMessage): Promise<void> {
    const { recipient } = message
    const mail = sending.has(recipient) ? undefined : await prepare(deps, message)
    if (!mail) return
    const done = send(message, mail)
      .catch((error: unknown) => {
        failure ??= { error }
      })
      .finally(() => sending.delete(recipient))
    sending.set(recipient, { sinceMs: performance.now(), done })
  }

  signal.addEventListener('abort', stop)
  try {
    for (;;) {
      if (failure) throw failure.error
      let found = 0
      // The next mail to a recipient is found only when the one under way has ended.
      const isIdle = sending.size === 0
      for (const links of [true, false]) {
        const free = (links ? lanes : Math.max(1, lanes - LINK_LANES)) - busy()
        const limit = Math.min(free, CONNECTIONS_MAX - sending.size)
        if (limit <= 0 || isDown || signal.aborted) continue
        const due = await dueMessages(sql, 'mail', { nowMs: clock.now(), links, limit, except: [...sending.keys()] })
        found += due.length
        for (const message of due) if (!isDown && !signal.aborted) await begin(message)
      }
      if (isDown || (isIdle && found === 0)) return isDown && !signal.aborted
      if (sending.size === 0) continue
      // While mails hang, look for new ones from time to time.
      const waited = new AbortController()
      const tick = delay(Math.min(hangsMs, MAIL_PERIOD_MS), undefined, { signal: waited.signal, ref: false })
      await Promise.race([tick.catch(() => {}), ...[...sending.values()].map(({ done }) => done)])
      waited.abort()
    }
  } finally {
    signal.removeEventListener('abort', stop)
    closeAll()
    await Promise.allSettled([...sending.values()].map(({ done }) => done))
  }
}

type ReadyMail = RenderedMail & { readonly to: string }

/** The mail to send, once it is claimed; undefined when there is nothing to send any more. */
async function prepare(deps: MailJobDependencies, message: OutboxMessage): Promise<ReadyMail | undefined> {
  const { sql, clock } = deps
  const nowMs = clock.now()
  const end = async (state: 'expired' | 'failed', error: string): Promise<undefined> => {
    await finishMessage(sql, message.id, { state, nowMs, error })
    deps.onOutcome?.(message.kind, state)
  }
  const taken = await takeMessage(sql, message, { nowMs, waitsMs: WAITS_MS })
  if (taken === 'expired' || taken === 'failed') deps.onOutcome?.(message.kind, taken)
  if (taken !== 'taken') return undefined
  try {
    const mailbox = parseRecipient(message.recipient)
    if ('problem' in mailbox) throw new UnsendableMail('its recipient is not a valid address')
    const link = await openSecret(deps.ring, message).catch((cause: unknown) => {
      throw new UnsendableMail('its link cannot be opened: the secret was lost or replaced', { cause })
    })
    if (link !== undefined && !(await deps.isWanted(message, link))) {
      return await end('expired', 'was withdrawn before it was sent')
    }
    const kind = message.kind as MailKind
    const facts = message.facts as unknown as MailFacts[MailKind]
    const timeZone = message.person_id === null ? undefined : await deps.timeZoneOf?.(message.person_id)
    return { ...renderMail(kind, facts, { baseUrl: deps.settings.baseUrl, link, timeZone }), to: mailbox.address }
  } catch (error) {
    if (!(error instanceof UnsendableMail)) throw error
    return end('failed', error.message)
  }
}

async function tryToSend(
  deps: MailJobDependencies,
  message: OutboxMessage,
  mail: ReadyMail,
  way: MailWay,
): Promise<SendOutcome> {
  const { sql, clock } = deps
  const { id, kind } = message
  const result = await way.send({ ...mail, id })
  if (result.outcome === 'unreachable') {
    await unclaimMessage(sql, message, result.error)
    return result
  }
  if (result.outcome === 'sent') {
    await changeIn(sql, clock, async (tx) => {
      await finishMessage(tx, id, { state: 'sent', nowMs: tx.nowMs })
      await deps.onSent(tx, message)
    })
    deps.onOutcome?.(kind, 'sent')
    return result
  }
  const { error } = result
  const last = message.attempts + 1 >= TRIES_MAX
  if (result.outcome === 'refused' || last) {
    await changeIn(sql, clock, async (tx) => {
      await finishMessage(tx, id, { state: 'failed', error, nowMs: tx.nowMs })
      if (result.outcome === 'refused') await deps.onRefused(tx, message)
    })
    deps.onOutcome?.(kind, result.outcome === 'refused' ? 'refused' : 'failed')
    return result
  }
  await noteFailure(sql, id, error)
  deps.onOutcome?.(kind, 'delayed')
  return result
}
