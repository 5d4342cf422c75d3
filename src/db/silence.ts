/**
 * Notices a server that takes statements and answers none: a stopped process, a paused machine, a network that drops
 * packets. A slow statement looks the same, so after a second without a byte the server is asked over a new connection.
 * If it does not answer that either, it is silent until it answers again.
 */
const TICK_MS = 250
const QUIET_TICKS = 4
const ANSWER_MS_MAX = 2000

interface SilenceOptions {
  /** True while a caller waits for the server. */
  readonly isAwaited: () => boolean
  /** True if the server says anything within this time, even an error. */
  readonly answers: (withinMs: number) => Promise<boolean>
  /** Called once, when the server becomes silent. */
  readonly onSilent: () => void
}

export function watchSilence({ isAwaited, answers, onSilent }: SilenceOptions) {
  let heard = 0
  let heardBefore = 0
  let quietTicks = 0
  let asking = false
  let silent = false

  const timer = setInterval(() => {
    quietTicks = isAwaited() && heard === heardBefore ? quietTicks + 1 : 0
    heardBefore = heard
    if (!asking && (silent || quietTicks >= QUIET_TICKS)) void ask()
  }, TICK_MS).unref()

  async function ask(): Promise<void> {
    asking = true
    const heardAtStart = heard
    const answered = await answers(ANSWER_MS_MAX)
    asking = false
    quietTicks = 0
    const wasSilent = silent
    // A byte on another connection is an answer too.
    silent = !answered && heard === heardAtStart
    if (silent && !wasSilent) onSilent()
  }

  return {
    /** Call for every byte that arrives. */
    heard() {
      heard++
    },
    get isNow() {
      return silent
    },
    close: () => clearInterval(timer),
  }
}
