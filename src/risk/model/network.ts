/** The number of units summed in parallel: none waits for the sum of another, which halves the time. */
const ABREAST = 4

/** A layer of a network: each unit sums all inputs by its own weights. One row a unit: these weights, then its bias. */
export function createLayer(rows: readonly (readonly number[])[], size: number) {
  const units = Math.ceil(rows.length / ABREAST) * ABREAST
  const biases = Float64Array.from({ length: units }, (_, unit) => rows[unit]?.[size] ?? 0)
  // In blocks of four units; within a block, the weights of one input are adjacent.
  const weights = new Float64Array(units * size)
  rows.forEach((row, unit) => {
    const at = (unit - (unit % ABREAST)) * size + (unit % ABREAST)
    for (let i = 0; i < size; i++) weights[at + i * ABREAST] = row[i] as number
  })
  const given = new Float64Array(units)
  return {
    /** The current sum of each unit. Padding units at the end are always 0. */
    given,
    begin: (inputs: Float64Array) => addUp(biases, given, weights, inputs, 0),
    /** Adds inputs from index `from` on to the current sums. */
    give: (inputs: Float64Array, from: number) => addUp(given, given, weights, inputs, from),
  }
}

// The inputs that are not 0, written and read by addUp: a third of them are 0, and add nothing.
const PLACES = new Uint8Array(64)
const VALUES = new Float64Array(64)

// Outside createLayer: by measurement, captured variables cost the loop a quarter of its speed.
function addUp(before: Float64Array, given: Float64Array, weights: Float64Array, inputs: Float64Array, begin: number) {
  const size = inputs.length
  let count = 0
  for (let i = begin; i < size; i++) {
    const input = inputs[i] as number
    if (input === 0) continue
    PLACES[count] = i * ABREAST
    VALUES[count++] = input
  }
  for (let unit = 0; unit < given.length; unit += ABREAST) {
    const from = unit * size
    let first = before[unit] as number
    let second = before[unit + 1] as number
    let third = before[unit + 2] as number
    let fourth = before[unit + 3] as number
    for (let i = 0; i < count; i++) {
      const input = VALUES[i] as number
      const at = from + (PLACES[i] as number)
      first += (weights[at] as number) * input
      second += (weights[at + 1] as number) * input
      third += (weights[at + 2] as number) * input
      fourth += (weights[at + 3] as number) * input
    }
    given[unit] = first
    given[unit + 1] = second
    given[unit + 2] = third
    given[unit + 3] = fourth
  }
}

export interface JudgeFile {
  /** The centre is subtracted from each input, and the rest divided by the spread. */
  readonly inputs: readonly (readonly [centre: number, spread: number])[]
  readonly hidden: readonly (readonly number[])[]
  /** One number a unit, then the bias. */
  readonly output: readonly number[]
  /** The two numbers of the suffix, averaged over names under generic suffixes other than .com. */
  readonly ordinary: readonly [fresh: number, established: number]
}

/** Inputs are limited to this many spreads from the centre. */
export const INPUT_MAX = 4

// The judge of a name: a small network that weighs the results of the models. The weight of each model depends on the
// name and on the sort of its suffix: under .com a string of letters is not remarkable. lab/fit-judge.ts fits it.
export function createJudge(file: JudgeFile) {
  const size = file.inputs.length
  const units = file.hidden.length
  const centres = Float64Array.from(file.inputs, ([centre]) => centre)
  const spreads = Float64Array.from(file.inputs, ([, spread]) => spread)
  const layer = createLayer(file.hidden, size)
  const output = Float64Array.from(file.output)
  // The inputs of the last call, and the changes since.
  const scaled = new Float64Array(size)
  const changes = new Float64Array(size)

  function scale(inputs: Float64Array, i: number): number {
    const value = ((inputs[i] as number) - (centres[i] as number)) / (spreads[i] as number)
    return value > INPUT_MAX ? INPUT_MAX : value < -INPUT_MAX ? -INPUT_MAX : value
  }

  function answer(): number {
    let sum = output[units] as number
    for (let unit = 0; unit < units; unit++) {
      const value = layer.given[unit] as number
      sum += (value / (1 + Math.abs(value))) * (output[unit] as number)
    }
    return sum
  }

  return {
    /** Log-odds of fraud by the name under this suffix, separate from all other evidence. */
    logOdds(inputs: Float64Array): number {
      for (let i = 0; i < size; i++) scaled[i] = scale(inputs, i)
      layer.begin(scaled)
      return answer()
    },
    /** Faster than logOdds: for inputs that differ from the last call only from index `from` on. */
    logOddsAgain(inputs: Float64Array, from: number): number {
      for (let i = from; i < size; i++) {
        const now = scale(inputs, i)
        changes[i] = now - (scaled[i] as number)
        scaled[i] = now
      }
      layer.give(changes, from)
      return answer()
    },
  }
}
