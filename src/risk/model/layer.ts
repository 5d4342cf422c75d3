/** A layer of a network: units that each add up all inputs by weights of their own. */
export interface Layer {
  /** The sum of each unit so far. Units beyond those of the layer may stand behind them, always 0. */
  readonly given: Float64Array
  /** Every unit is left with its bias alone. */
  begin(): void
  /** Gives the units `inputs`, those before the one at `from` left out. */
  give(inputs: Float64Array, from: number): void
}

/** The number of units added up side by side: none waits for the sum of another, which halves the time. */
const ABREAST = 4

/** One row a unit: the weights of its inputs, then its bias. */
export function createLayer(rows: readonly (readonly number[])[], size: number): Layer {
  const units = Math.ceil(rows.length / ABREAST) * ABREAST
  const biases = Float64Array.from({ length: units }, (_, unit) => rows[unit]?.[size] ?? 0)
  // Four units after four, and of those the weights of one input beside each other.
  const weights = new Float64Array(units * size)
  rows.forEach((row, unit) => {
    const at = (unit - (unit % ABREAST)) * size + (unit % ABREAST)
    for (let i = 0; i < size; i++) weights[at + i * ABREAST] = row[i] as number
  })
  const given = new Float64Array(units)
  return {
    given,
    begin() {
      given.set(biases)
    },
    give: (inputs, from) => addUp(given, weights, inputs, from),
  }
}

// Not inside of createLayer: measured alone, what is caught from around a function costs its loop a quarter of the speed.
function addUp(given: Float64Array, weights: Float64Array, inputs: Float64Array, from: number): void {
  const size = inputs.length
  for (let unit = 0; unit < given.length; unit += ABREAST) {
    let first = given[unit] as number
    let second = given[unit + 1] as number
    let third = given[unit + 2] as number
    let fourth = given[unit + 3] as number
    let at = unit * size + from * ABREAST
    for (let i = from; i < size; i++) {
      const input = inputs[i] as number
      first += (weights[at] as number) * input
      second += (weights[at + 1] as number) * input
      third += (weights[at + 2] as number) * input
      fourth += (weights[at + 3] as number) * input
      at += ABREAST
    }
    given[unit] = first
    given[unit + 1] = second
    given[unit + 2] = third
    given[unit + 3] = fourth
  }
}
