import { INPUT_MAX, type JudgeFile } from '../src/risk/model/judge.ts'
import { SUFFIX_INPUTS_AT, suffixLimits } from '../src/risk/model/lexical.ts'
import { isCountrySuffix } from '../src/risk/model/suffixes.ts'
import { randomFrom } from './fit-data.ts'

/** What the judge of names is fitted on: a name with all that is said about it. */
export interface JudgedRow {
  readonly inputs: Float64Array
  readonly ending: string
  /** Log-odds of everything else the service sees, the base included. */
  readonly rest: number
  readonly bad: boolean
  readonly weight: number
  /** Its weight among the names people ask about. */
  readonly asked: number
}

const SETTINGS = { seeds: [1, 2, 3, 4, 5, 6, 7, 8], units: 16, steps: 400, rate: 0.02, decay: 7e-5 }
type Settings = typeof SETTINGS

/** Several networks from different beginnings, put together as one that says their mean: it wavers less than each. */
export function fitJudge(rows: readonly JudgedRow[], settings = SETTINGS): { judge: JudgeFile; loss: number } {
  const fits = settings.seeds.map((seed) => fitOne(rows, seed, settings))
  const mean = (value: (fit: ReturnType<typeof fitOne>) => number) =>
    rounded(fits.reduce((sum, fit) => sum + value(fit), 0) / fits.length)
  const outputs = fits.flatMap(({ judge }) => judge.output.slice(0, -1).map((weight) => rounded(weight / fits.length)))
  return {
    judge: {
      inputs: fits[0]?.judge.inputs ?? [],
      hidden: fits.flatMap(({ judge }) => judge.hidden),
      output: [...outputs, mean(({ judge }) => judge.output.at(-1) ?? 0)],
      ordinary: ordinarySuffix(rows),
    },
    loss: mean(({ loss }) => loss),
  }
}

function rounded(value: number | undefined): number {
  return Number((value ?? 0).toPrecision(5))
}

/** The numbers of suffixes that are neither .com nor a country's, as names that people ask about have them on average. */
function ordinarySuffix(rows: readonly JudgedRow[]): JudgeFile['ordinary'] {
  const generic = rows.filter(({ ending }) => ending !== 'com' && !isCountrySuffix(ending))
  const asked = generic.reduce((sum, row) => sum + row.asked, 0)
  const mean = (at: number) =>
    rounded(generic.reduce((sum, row) => sum + row.asked * (row.inputs[at] as number), 0) / asked)
  return [mean(SUFFIX_INPUTS_AT), mean(SUFFIX_INPUTS_AT + 1)]
}

/**
 * Maximum likelihood by Adam over all rows at once. As in scoring, a name is judged under an ordinary suffix, and what its
 * own suffix adds to that is limited, so that the name learns what a suffix that may not decide leaves open.
 */
function fitOne(rows: readonly JudgedRow[], seed: number, settings: Settings): { judge: JudgeFile; loss: number } {
  const size = rows[0]?.inputs.length ?? 0
  const { units } = settings
  const scales = scalesOf(rows, size)
  const ordinary = ordinarySuffix(rows)
  const scaled = (inputs: Float64Array) =>
    inputs.map((value, i) => {
      const [centre, spread] = scales[i] as readonly [number, number]
      return Math.max(-INPUT_MAX, Math.min(INPUT_MAX, (value - centre) / spread))
    })
  const own = rows.map(({ inputs }) => scaled(inputs))
  const usual = rows.map(({ inputs, ending }) => {
    const copy = inputs.slice()
    if (ending !== 'com') copy.set(ordinary, SUFFIX_INPUTS_AT)
    return scaled(copy)
  })
  const limits = rows.map(({ ending }) => suffixLimits(ending))
  // All parameters in one array: the units with their biases, then the output with its bias.
  const outputAt = units * (size + 1)
  const biasAt = outputAt + units
  const parameters = new Float64Array(biasAt + 1)
  const random = randomFrom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  for (let unit = 0; unit < units; unit++) {
    for (let i = 0; i < size; i++) parameters[unit * (size + 1) + i] = 0.5 * normal()
    parameters[outputAt + unit] = 0.3 * normal()
  }

  const usualActivations = new Float64Array(units)
  const ownActivations = new Float64Array(units)
  const gradient = new Float64Array(parameters.length)
  const mean = new Float64Array(parameters.length)
  const square = new Float64Array(parameters.length)
  let loss = 0
  for (let step = 1; step <= settings.steps; step++) {
    gradient.fill(0)
    loss = 0
    for (let row = 0; row < rows.length; row++) addRow(row)
    for (let i = 0; i < parameters.length; i++) {
      const isWeight = i < biasAt && (i >= outputAt || i % (size + 1) !== size)
      const slope = (gradient[i] as number) + (isWeight ? 2 * settings.decay * (parameters[i] as number) : 0)
      mean[i] = 0.9 * (mean[i] as number) + 0.1 * slope
      square[i] = 0.999 * (square[i] as number) + 0.001 * slope * slope
      const move = (mean[i] as number) / (1 - 0.9 ** step)
      parameters[i] =
        (parameters[i] as number) -
        (settings.rate * move) / (Math.sqrt((square[i] as number) / (1 - 0.999 ** step)) + 1e-8)
    }
  }

  /** What the network says, its units left in `activations`. */
  function say(given: Float64Array, activations: Float64Array): number {
    let sum = parameters[biasAt] as number
    for (let unit = 0; unit < units; unit++) {
      const from = unit * (size + 1)
      let value = parameters[from + size] as number
      for (let i = 0; i < size; i++) value += (parameters[from + i] as number) * (given[i] as number)
      activations[unit] = value / (1 + Math.abs(value))
      sum += (activations[unit] as number) * (parameters[outputAt + unit] as number)
    }
    return sum
  }

  /** Passes an error back through the network that said something about `given`. */
  function learn(given: Float64Array, activations: Float64Array, error: number): void {
    const add = (i: number, value: number) => {
      gradient[i] = (gradient[i] as number) + value
    }
    add(biasAt, error)
    for (let unit = 0; unit < units; unit++) {
      const active = activations[unit] as number
      add(outputAt + unit, error * active)
      const back = error * (parameters[outputAt + unit] as number) * (1 - Math.abs(active)) ** 2
      const from = unit * (size + 1)
      for (let i = 0; i < size; i++) add(from + i, back * (given[i] as number))
      add(from + size, back)
    }
  }

  function addRow(at: number): void {
    const { rest, bad, weight } = rows[at] as JudgedRow
    const name = say(usual[at] as Float64Array, usualActivations)
    const bySuffix = say(own[at] as Float64Array, ownActivations) - name
    const [min, max] = limits[at] as readonly [number, number]
    const odds = rest + name + Math.max(min, Math.min(max, bySuffix))
    const error = weight * (1 / (1 + Math.exp(-odds)) - (bad ? 1 : 0))
    loss += weight * Math.log1p(Math.exp(bad ? -odds : odds))
    if (bySuffix > min && bySuffix < max) learn(own[at] as Float64Array, ownActivations, error)
    else learn(usual[at] as Float64Array, usualActivations, error)
  }

  return {
    judge: {
      inputs: scales,
      hidden: Array.from({ length: units }, (_, unit) =>
        Array.from(parameters.subarray(unit * (size + 1), (unit + 1) * (size + 1)), rounded),
      ),
      output: Array.from(parameters.subarray(outputAt), rounded),
      ordinary,
    },
    loss,
  }
}

/** Middle and spread of each input over the rows. */
function scalesOf(rows: readonly JudgedRow[], size: number): (readonly [number, number])[] {
  return Array.from({ length: size }, (_, i) => {
    const values = rows.map(({ inputs }) => inputs[i] as number)
    const centre = values.reduce((sum, value) => sum + value, 0) / values.length
    const variance = values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / values.length
    return [Number(centre.toPrecision(5)), Number((Math.sqrt(variance) + 1e-6).toPrecision(5))] as const
  })
}
