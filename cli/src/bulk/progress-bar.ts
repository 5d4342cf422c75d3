import type { Context, Output } from '../context.ts'
import { count } from '../terminal/paint.ts'

type Surroundings = Pick<Context, 'now'> & { readonly stderr: Pick<Output, 'write' | 'isTTY' | 'columns'> }

const REDRAW_MS = 100

/**
 * One line at the bottom of the terminal: progress, speed, remaining time. No output without a terminal. `before`
 * records were done in an earlier run: they count as done, but not for the speed of this run.
 */
export function createProgressBar(context: Surroundings, total: number, before: number) {
  const { stderr } = context
  const startedAtMs = context.now()
  let drawnAtMs = 0
  let shown = false
  let done = 0
  return {
    add(records: number): void {
      if (!stderr.isTTY) return
      done += records
      const completed = Math.min(total, before + done)
      const nowMs = context.now()
      if (nowMs - drawnAtMs < REDRAW_MS && completed < total) return
      drawnAtMs = nowMs
      shown = true
      const perSecond = (done * 1000) / Math.max(1, nowMs - startedAtMs)
      stderr.write(`\r\u001b[K${barText({ completed, total, perSecond }, stderr.columns - 1)}`)
    },
    clear() {
      if (shown) stderr.write('\r\u001b[K')
      shown = false
    },
  }
}

/** As much text as fits: first the percentage, then the bar, then the numbers. */
export function barText(state: { completed: number; total: number; perSecond: number }, width: number): string {
  const share = state.total === 0 ? 1 : Math.min(1, state.completed / state.total)
  const percent = `${String(Math.floor(share * 100)).padStart(3)} %`
  const numbers = `${count(state.completed)}/${count(state.total)}`
  const rate = state.perSecond > 0 ? `${count(Math.ceil(state.perSecond))}/s` : ''
  const left = state.perSecond > 0 ? `${duration((state.total - state.completed) / state.perSecond)} left` : ''
  let tail = percent
  for (const part of [left, numbers, rate]) {
    if (part !== '' && tail.length + 2 + part.length + 10 <= width) tail += `  ${part}`
  }
  const room = Math.min(40, width - tail.length - 3)
  if (room < 4) return tail.slice(0, Math.max(0, width))
  const filled = Math.round(share * room)
  return `[${'#'.repeat(filled)}${'-'.repeat(room - filled)}] ${tail}`
}

function duration(seconds: number): string {
  const whole = Math.ceil(Math.min(seconds, 359_999))
  const two = (number: number) => String(number).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
