import { SUFFIX_INPUTS_AT, suffixLimits } from '../src/risk/model/lexical.ts'
import { INPUT_MAX, type JudgeFile } from '../src/risk/model/network.ts'
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

export const JUDGE_SETTINGS = { seeds: [1, 2, 3, 4], units: 8, steps: 600, rate: 0.02, decay: 7e-5 }
type Settings = typeof JUDGE_SETTINGS

/**
 * Several small networks from different beginnings. Their mean wavers less than each of them, and is itself one network:
 * the units of all, with their share of the output.
 */
export function fitJudge(
  rows: readonly JudgedRow[],
  settings: Settings = JUDGE_SETTINGS,
): { judge: JudgeFile; loss: number } {
  const scales = scalesOf(rows)
  const ordinary = ordinarySuffix(rows)
  const asked = rows.map((row) => questionOf(row, scales, ordinary))
  const fits = settings.seeds.map((seed) => fitOne(rows, asked, seed, settings))
  const files = fits.map(({ network }) => network.file())
  const share = (value: number | undefined) => rounded((value ?? 0) / fits.length)
  const bias = files.reduce((sum, { output }) => sum + (output.at(-1) ?? 0), 0)
  return {
    judge: {
      inputs: scales,
      hidden: files.flatMap(({ hidden }) => hidden),
      output: [...files.flatMap(({ output }) => output.slice(0, -1).map(share)), share(bias)],
      ordinary,
    },
    loss: fits.reduce((sum, { loss }) => sum + loss, 0) / fits.length,
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

/** A name as the network is asked about it, in inputs about -INPUT_MAX to INPUT_MAX: under its own suffix and an ordinary one. */
interface Question {
  readonly own: Float64Array
  readonly usual: Float64Array
}

function questionOf({ inputs, ending }: JudgedRow, scales: Scales, ordinary: JudgeFile['ordinary']): Question {
  const scaled = (values: Float64Array) =>
    values.map((value, i) => {
      const [centre, spread] = scales[i] as Scales[number]
      return bounded((value - centre) / spread)
    })
  const own = scaled(inputs)
  if (ending === 'com') return { own, usual: own }
  const usual = inputs.slice()
  usual.set(ordinary, SUFFIX_INPUTS_AT)
  return { own, usual: scaled(usual) }
}

/**
 * Maximum likelihood over all rows at once. As in scoring, a name is judged under an ordinary suffix, and what its own
 * suffix adds to that is limited, so that the name learns what a suffix that may not decide leaves open.
 */
function fitOne(rows: readonly JudgedRow[], asked: readonly Question[], seed: number, settings: Settings) {
  const network = createNetwork(asked[0]?.own.length ?? 0, settings.units, seed)
  let loss = 0
  for (let step = 0; step < settings.steps; step++) {
    loss = 0
    rows.forEach(({ rest, bad, weight, ending }, at) => {
      const { own, usual } = asked[at] as Question
      const name = network.say(usual)
      const bySuffix = own === usual ? 0 : network.say(own) - name
      const [min, max] = suffixLimits(ending)
      const odds = rest + name + Math.max(min, Math.min(max, bySuffix))
      loss += weight * Math.log1p(Math.exp(bad ? -odds : odds))
      const error = weight * (1 / (1 + Math.exp(-odds)) - (bad ? 1 : 0))
      network.learn(bySuffix > min && bySuffix < max ? own : usual, error)
    })
    network.step(settings.rate, settings.decay)
  }
  return { network, loss }
}

function bounded(input: number): number {
  return Math.max(-INPUT_MAX, Math.min(INPUT_MAX, input))
}

function normalFrom(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** One layer of units between inputs and output, fitted by Adam. */
interface Network {
  say(inputs: Float64Array): number
  /** Passes an error in what it says of `inputs` back through the network. */
  learn(inputs: Float64Array, error: number): void
  /** Moves the weights against all errors passed back since the last step. */
  step(rate: number, decay: number): void
  file(): Pick<JudgeFile, 'hidden' | 'output'>
}

function createNetwork(size: number, units: number, seed: number): Network {
  // All parameters in one array: the units with their biases, then the output with its bias.
  const outputAt = units * (size + 1)
  const biasAt = outputAt + units
  const parameters = new Float64Array(biasAt + 1)
  const random = randomFrom(seed)
  for (let unit = 0; unit < units; unit++) {
    for (let i = 0; i < size; i++) parameters[unit * (size + 1) + i] = 0.5 * normalFrom(random)
    parameters[outputAt + unit] = 0.3 * normalFrom(random)
  }
  const activations = new Float64Array(units)
  const gradient = new Float64Array(parameters.length)
  const mean = new Float64Array(parameters.length)
  const square = new Float64Array(parameters.length)
  let steps = 0

  function say(inputs: Float64Array): number {
    let sum = parameters[biasAt] as number
    for (let unit = 0; unit < units; unit++) {
      const from = unit * (size + 1)
      let value = parameters[from + size] as number
      for (let i = 0; i < size; i++) value += (parameters[from + i] as number) * (inputs[i] as number)
      activations[unit] = value / (1 + Math.abs(value))
      sum += (activations[unit] as number) * (parameters[outputAt + unit] as number)
    }
    return sum
  }

  return {
    say,
    learn(inputs, error) {
      const add = (i: number, value: number) => {
        gradient[i] = (gradient[i] as number) + value
      }
      say(inputs)
      add(biasAt, error)
      for (let unit = 0; unit < units; unit++) {
        const active = activations[unit] as number
        add(outputAt + unit, error * active)
        const back = error * (parameters[outputAt + unit] as number) * (1 - Math.abs(active)) ** 2
        const from = unit * (size + 1)
        for (let i = 0; i < size; i++) add(from + i, back * (inputs[i] as number))
        add(from + size, back)
      }
    },
    step(rate, decay) {
      steps++
      for (let i = 0; i < parameters.length; i++) {
        const isWeight = i < biasAt && (i >= outputAt || i % (size + 1) !== size)
        const slope = (gradient[i] as number) + (isWeight ? 2 * decay * (parameters[i] as number) : 0)
        mean[i] = 0.9 * (mean[i] as number) + 0.1 * slope
        square[i] = 0.999 * (square[i] as number) + 0.001 * slope * slope
        const move = (mean[i] as number) / (1 - 0.9 ** steps)
        parameters[i] =
          (parameters[i] as number) - (rate * move) / (Math.sqrt((square[i] as number) / (1 - 0.999 ** steps)) + 1e-8)
      }
      gradient.fill(0)
    },
    file: () => ({
      hidden: Array.from({ length: units }, (_, unit) =>
        Array.from(parameters.subarray(unit * (size + 1), (unit + 1) * (size + 1)), rounded),
      ),
      output: Array.from(parameters.subarray(outputAt), rounded),
    }),
  }
}

type Scales = readonly (readonly [centre: number, spread: number])[]

/** Middle and spread of each input over the rows. */
function scalesOf(rows: readonly JudgedRow[]): Scales {
  return Array.from({ length: rows[0]?.inputs.length ?? 0 }, (_, i) => {
    const values = rows.map(({ inputs }) => inputs[i] as number)
    const centre = values.reduce((sum, value) => sum + value, 0) / values.length
    const variance = values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / values.length
    return [Number(centre.toPrecision(5)), Number((Math.sqrt(variance) + 1e-6).toPrecision(5))] as const
  })
}
