import { describe, expect, it } from 'vitest'
import { createLogOutput, type LogSink } from './log-output.ts'

/** A sink that the test answers by hand: each piece waits until it is let through, in part, or refused. */
function heldSink() {
  const out: string[] = []
  let held: { bytes: Buffer; done: (error: Error | null, written: number) => void } | undefined
  const sink: LogSink = {
    write(bytes, done) {
      expect(held).toBeUndefined()
      held = { bytes, done }
    },
  }
  const answer = (error: Error | null, written: number) => {
    const waiting = held
    held = undefined
    out.push(waiting?.bytes.subarray(0, written).toString() ?? '')
    waiting?.done(error, written)
  }
  return {
    sink,
    text: () => out.join(''),
    isHeld: () => held !== undefined,
    pass: (bytes?: number) => answer(null, bytes ?? held?.bytes.length ?? 0),
    refuse: (written = 0) => answer(new Error('ENOSPC'), written),
  }
}

describe('the output of the log', () => {
  it('writes lines whole and in order, also after a piece that went out in part', () => {
    const held = heldSink()
    const output = createLogOutput(held.sink)
    output.write('one\n')
    output.flush()
    output.write('two\n')
    held.pass(2)
    held.refuse(1)
    expect(held.isHeld()).toBe(false)
    output.flush()
    held.pass()
    output.flush()
    held.pass()
    expect(held.text()).toBe('one\ntwo\n')
    expect(output.linesDropped()).toBe(0)
  })

  it('drops lines beyond its bound, and says how many when writing works again', () => {
    const held = heldSink()
    const output = createLogOutput(held.sink, { bytesMax: 8 })
    output.write('one\n')
    output.flush()
    for (const line of ['two\n', 'six\n', 'ten\n', 'end\n']) output.write(line)
    held.refuse()
    expect(output.linesDropped()).toBe(2)
    output.flush()
    held.pass()
    output.flush()
    held.pass()
    const lines = held.text().trim().split('\n')
    expect(lines.filter((line) => !line.startsWith('{'))).toEqual(['one', 'two', 'six'])
    expect(lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', lines_dropped: 2, msg: 'log lines were dropped' },
    ])
    output.flush()
    expect(held.isHeld()).toBe(false)
  })

  it('tries a failed write again only when asked, however much is logged meanwhile', () => {
    const held = heldSink()
    const output = createLogOutput(held.sink, { bytesMax: 100_000 })
    output.write('x'.repeat(10_000))
    held.refuse()
    for (let i = 0; i < 50; i++) output.write('y'.repeat(10_000))
    expect(held.isHeld()).toBe(false)
    expect(output.linesDropped()).toBe(40)
  })
})
