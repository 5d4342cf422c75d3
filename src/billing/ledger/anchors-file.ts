/**
 * `anchors.log` in the data folder: a copy of every anchor outside the database, one line of JSON each. It tells a
 * database that was cut or restored from one that is as it was left.
 *
 *  1. Lines are only ever added. A line that a crash cut short does not count: its anchor is added again.
 *  2. A line with `restored` says that the operator accepted the database as it was then: lines before it no longer count.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { iso } from '../../lib/time-text.ts'
import type { Anchor } from './anchors.ts'

export interface AnchorLine {
  readonly number: number
  readonly made_at: string
  readonly heads: number
  readonly hash: string
}

/** What the file and the verb say of an anchor. */
export function anchorLine(anchor: Anchor): AnchorLine {
  const { number, madeAtMs, heads, hash } = anchor
  return { number, made_at: iso(madeAtMs), heads, hash }
}

/**
 * The same for the log, which takes every long random word for a secret and hides it: the hash is written in groups that
 * are too short for that. Without the blanks it is the hash of the file.
 */
export function anchorToLog(anchor: Anchor): AnchorLine {
  const line = anchorLine(anchor)
  return { ...line, hash: line.hash.match(/.{1,5}/g)?.join(' ') ?? '' }
}

export interface AnchorsFile {
  /** In the order of the file, since the last restore that was accepted. */
  readonly lines: readonly AnchorLine[]
  /** The anchor the database ended with when a restore was last accepted; 0: none. */
  readonly restoredTo: number
}

export function readAnchorsFile(file: string): AnchorsFile {
  let lines: AnchorLine[] = []
  let restoredTo = 0
  for (const text of contentOf(file).split('\n')) {
    const line = parse(text)
    if (!line) continue
    if ('restored' in line) {
      lines = []
      restoredTo = line.number
    } else lines.push(line)
  }
  return { lines, restoredTo }
}

/** The last anchor the file knows. */
export function lastNumberOf({ lines, restoredTo }: AnchorsFile): number {
  return lines.reduce((last, { number }) => Math.max(last, number), restoredTo)
}

export function appendAnchors(file: string, added: readonly Anchor[]): void {
  append(file, added.map(anchorLine))
}

/** From now on the file is compared with a database whose last anchor is this one. */
export function appendRestore(file: string, last: Anchor | undefined, nowMs: number): void {
  append(file, [{ restored: iso(nowMs), number: last?.number ?? 0 }])
}

function append(file: string, lines: readonly object[]): void {
  if (lines.length === 0) return
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const before = contentOf(file)
  // A line that a crash cut short is ended first, so that the next one stands alone.
  const cut = before !== '' && !before.endsWith('\n')
  const descriptor = openSync(file, 'a', 0o600)
  try {
    writeSync(descriptor, `${cut ? '\n' : ''}${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function contentOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** As it is written; nothing else is shown to whoever reads the report. */
const MOMENT = /^[\d:.TZ+-]{10,40}$/

type Line = AnchorLine | { readonly restored: string; readonly number: number }

function parse(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as Line
    const whole = 'restored' in line || (typeof line.hash === 'string' && MOMENT.test(line.made_at))
    return whole && Number.isSafeInteger(line.number) ? line : undefined
  } catch {
    return undefined
  }
}
