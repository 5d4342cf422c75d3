import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { type GateOptions, ServerClosed, ServerGate, type Verdict } from './server-gate.ts'

function gateWith(options: Partial<GateOptions> = {}) {
  const clock = new ManualClock(0)
  const gate = new ServerGate({
    concurrencyMax: 1,
    perSecondMax: Number.POSITIVE_INFINITY,
    waitingMax: 10,
    failuresToOpen: 3,
    openMs: 10_000,
    clock,
    ...options,
  })
  const begun: string[] = []
  /** A question that ends when the test says so. */
  function question(name: string, urgent = false, organisationId?: string) {
    const end = Promise.withResolvers<Verdict>()
    const outcome = gate
      .ask('server', { urgent, organisationId }, async () => {
        begun.push(name)
        return { verdict: await end.promise, answer: name }
      })
      .catch((error: ServerClosed) => error)
    return { end: end.resolve, outcome }
  }
  const asked = async (name: string, verdict: Verdict) => {
    const { end, outcome } = question(name)
    end(verdict)
    return outcome
  }
  const state = () => gate.state()[0]
  return { clock, gate, begun, question, asked, state }
}

/** Everything that can go on without the test has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('turns', () => {
  it('lets as many questions under way as it may, and the next when one is done', async () => {
    const { begun, question, state } = gateWith({ concurrencyMax: 2 })
    const [a] = [question('a'), question('b'), question('c')]
    await settled()
    expect(begun).toEqual(['a', 'b'])
    expect(state()).toMatchObject({ underWay: 2, waiting: 1 })
    a!.end('answered')
    expect(await a!.outcome).toBe('a')
    await settled()
    expect(begun).toEqual(['a', 'b', 'c'])
  })

  it('keeps the order of those that wait, urgent ones in front', async () => {
    const { begun, question } = gateWith()
    const first = question('first')
    const rest = [question('list 1'), question('list 2'), question('urgent 1', true), question('urgent 2', true)]
    for (const { end } of [first, ...rest]) end('answered')
    await Promise.all(rest.map(({ outcome }) => outcome))
    expect(begun).toEqual(['first', 'urgent 1', 'urgent 2', 'list 1', 'list 2'])
  })

  it('keeps the order of thousands that wait', async () => {
    const { begun, question } = gateWith({ waitingMax: 5000 })
    const all = Array.from({ length: 5000 }, (_, i) => question(String(i)))
    for (const { end } of all) end('answered')
    await Promise.all(all.map(({ outcome }) => outcome))
    expect(begun).toEqual(Array.from({ length: 5000 }, (_, i) => String(i)))
  })

  it('refuses the last that is not urgent when too many wait', async () => {
    const { begun, question, state } = gateWith({ waitingMax: 2 })
    const first = question('first')
    const waiting = [question('list 1'), question('list 2')]
    const urgent = question('urgent', true)
    expect(await waiting[1]!.outcome).toBeInstanceOf(ServerClosed)
    expect(state()).toMatchObject({ waiting: 2 })
    for (const { end } of [first, waiting[0]!, urgent]) end('answered')
    expect(await waiting[0]!.outcome).toBe('list 1')
    expect(begun).toEqual(['first', 'urgent', 'list 1'])
  })

  it('refuses the last of urgent ones when only such wait', async () => {
    const { question } = gateWith({ waitingMax: 1 })
    question('first', true)
    question('second', true)
    expect(await question('third', true).outcome).toBeInstanceOf(ServerClosed)
  })

  it('lets a question begin that need not wait where none may wait', async () => {
    const { asked } = gateWith({ waitingMax: 0 })
    expect(await asked('a', 'answered')).toBe('a')
  })

  it('begins no more in a second than the server allows', async () => {
    const { clock, begun, question, asked } = gateWith({ concurrencyMax: 10, perSecondMax: 100 })
    await asked('a', 'answered')
    const second = question('b')
    await settled()
    expect(begun).toEqual(['a'])
    clock.advance(10)
    second.end('answered')
    expect(await second.outcome).toBe('b')
  })

  it('treats every server apart', async () => {
    const { gate, question } = gateWith()
    question('never ends')
    expect(await gate.ask('another', { urgent: false }, async () => ({ verdict: 'answered', answer: 1 }))).toBe(1)
  })

  it('refuses whoever waits when it closes', async () => {
    const { gate, question } = gateWith()
    question('under way')
    const waiting = question('waits')
    gate.close()
    expect(await waiting.outcome).toBeInstanceOf(ServerClosed)
  })
})

describe('organisations', () => {
  const begunBy = (begun: readonly string[]) => begun.map((name) => name[0]).join('')

  it('take turns, however many questions one of them has', async () => {
    const { begun, question } = gateWith({ waitingMax: 1000 })
    const all = Array.from({ length: 500 }, (_, i) => question(`a${i}`, true, 'a'))
    all.push(question('b', true, 'b'), question('c', true, 'c'))
    for (const { end } of all) end('answered')
    await Promise.all(all.map(({ outcome }) => outcome))
    expect(begunBy(begun.slice(0, 5))).toBe('aabca')
  })

  it('leave a place to one that has none, however long their questions take', async () => {
    const { begun, question } = gateWith({ concurrencyMax: 4 })
    for (let i = 0; i < 5; i++) question(`a${i}`, true, 'a')
    await settled()
    expect(begunBy(begun)).toBe('aaa')
    question('b', true, 'b')
    await settled()
    expect(begunBy(begun)).toBe('aaab')
  })

  it('get a turn for their lists while another sends urgent questions without end', async () => {
    const { begun, question } = gateWith()
    const all = [question('u', true, 'a')]
    for (let i = 0; i < 8; i++) all.push(question('u', true, 'a'))
    all.push(question('l', false, 'b'), question('l', false, 'b'))
    for (const { end } of all) end('answered')
    await Promise.all(all.map(({ outcome }) => outcome))
    expect(begunBy(begun)).toBe('uuuluuuluuu')
  })

  it('lose their own last question when too many wait, and take no place from others', async () => {
    const { question, state } = gateWith({ waitingMax: 3 })
    question('under way', true, 'a')
    const [, , last] = ['a1', 'a2', 'a3'].map((name) => question(name, true, 'a'))
    const other = question('b1', false, 'b')
    expect(await last!.outcome).toMatchObject({ held: 'queue_full' })
    expect(state()).toMatchObject({ waiting: 3 })
    expect(await Promise.race([other.outcome, 'waits'])).toBe('waits')
  })
})

describe('the breaker', () => {
  it('leaves a server alone after failures in a row, and says for how long', async () => {
    const { clock, asked, begun, state } = gateWith()
    for (const name of ['a', 'b', 'c']) await asked(name, 'failed')
    expect(await asked('d', 'answered')).toMatchObject({ name: 'ServerClosed', retryMs: 10_000 })
    clock.advance(4000)
    expect(await asked('e', 'answered')).toMatchObject({ retryMs: 6000 })
    expect(state()).toMatchObject({ closedMs: 6000 })
    expect(begun).toEqual(['a', 'b', 'c'])
  })

  it('closes the server to the organisation whose questions fail, and to no other', async () => {
    const { clock, question, begun } = gateWith({ concurrencyMax: 10 })
    const failing = Array.from({ length: 5 }, (_, i) => question(`a${i}`, true, 'a'))
    for (const { end } of failing.slice(0, 3)) end('failed')
    await failing[2]!.outcome
    expect(await question('a5', true, 'a').outcome).toMatchObject({ retryMs: 10_000 })
    const other = question('b', true, 'b')
    other.end('failed')
    expect(await other.outcome).toBe('b')
    clock.advance(10_000)
    const [probe, next] = [question('probe', true, 'a'), question('next', true, 'a')]
    await settled()
    expect(begun.slice(5)).toEqual(['b', 'probe'])
    const again = question('b again', true, 'b')
    again.end('answered')
    expect(await again.outcome).toBe('b again')
    await settled()
    expect(begun.slice(7)).toEqual(['b again', 'next'])
    for (const { end } of [probe, next]) end('answered')
  })

  it('refuses those that wait when it opens', async () => {
    const { question } = gateWith({ failuresToOpen: 1 })
    const first = question('first')
    const waiting = question('waits')
    first.end('failed')
    expect(await waiting.outcome).toMatchObject({ retryMs: 10_000 })
  })

  it('stays closed where an answer comes in between', async () => {
    const { asked } = gateWith()
    for (const verdict of ['failed', 'failed', 'answered', 'failed', 'failed'] as const) await asked('a', verdict)
    expect(await asked('last', 'answered')).toBe('last')
  })

  it('counts a question that throws as a failure', async () => {
    const { gate, asked } = gateWith({ failuresToOpen: 1 })
    const thrown = gate.ask('server', { urgent: false }, () => Promise.reject(new Error('broken')))
    await expect(thrown).rejects.toThrow('broken')
    expect(await asked('a', 'answered')).toBeInstanceOf(ServerClosed)
  })

  it('does not count failures of a server that answers other questions meanwhile', async () => {
    const { question, asked } = gateWith({ concurrencyMax: 10 })
    const silent = Array.from({ length: 6 }, (_, i) => question(String(i)))
    await asked('answered meanwhile', 'answered')
    for (const { end } of silent) end('failed')
    await Promise.all(silent.map(({ outcome }) => outcome))
    expect(await asked('last', 'answered')).toBe('last')
  })

  it('does not count failures of a server that was heard past the gate meanwhile', async () => {
    const { gate, question, asked } = gateWith({ concurrencyMax: 10 })
    const silent = Array.from({ length: 6 }, (_, i) => question(String(i)))
    await settled()
    gate.heard('server')
    for (const { end } of silent) end('failed')
    await Promise.all(silent.map(({ outcome }) => outcome))
    expect(await asked('last', 'answered')).toBe('last')
  })

  it('tries the server with one question when the time is over, and lets all through when that is answered', async () => {
    const { clock, asked, question, begun } = gateWith({ failuresToOpen: 1, concurrencyMax: 10 })
    await asked('a', 'failed')
    clock.advance(10_000)
    const probe = question('probe')
    expect(await question('meanwhile').outcome).toBeInstanceOf(ServerClosed)
    probe.end('answered')
    await probe.outcome
    for (const name of ['b', 'c']) question(name)
    await settled()
    expect(begun).toEqual(['a', 'probe', 'b', 'c'])
  })

  it('leaves the server alone again when the question that tries it fails', async () => {
    const { clock, asked } = gateWith()
    for (const name of ['a', 'b', 'c']) await asked(name, 'failed')
    clock.advance(10_000)
    await asked('probe', 'failed')
    expect(await asked('d', 'answered')).toMatchObject({ retryMs: 10_000 })
  })
})

describe('a server that says when to come back', () => {
  it('is not asked before', async () => {
    const { clock, asked } = gateWith()
    await asked('a', { retryAfterMs: 60_000 })
    clock.advance(59_999)
    expect(await asked('b', 'answered')).toMatchObject({ retryMs: 1 })
    clock.advance(1)
    expect(await asked('c', 'answered')).toBe('c')
  })

  it('is not asked before although a question from earlier is answered, or fails', async () => {
    for (const verdict of ['answered', 'failed', { retryAfterMs: 1000 }] as const) {
      const { clock, asked, question } = gateWith({ concurrencyMax: 10, failuresToOpen: 1 })
      const earlier = question('earlier')
      await asked('a', { retryAfterMs: 60_000 })
      earlier.end(verdict)
      await earlier.outcome
      clock.advance(30_000)
      expect(await asked('b', 'answered')).toMatchObject({ retryMs: 30_000 })
    }
  })
})
