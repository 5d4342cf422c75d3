/** Logistic regression small enough to read: damped Newton steps on the diagonal, classes weighing the same. */

export interface Row {
  readonly inputs: readonly number[]
  readonly bad: boolean
  readonly weight: number
}

const ITERATIONS = 300

/** One weight an input; the last is the intercept. */
export function regression(rows: readonly Row[]): number[] {
  const size = rows[0]?.inputs.length ?? 0
  const weights = new Array<number>(size + 1).fill(0)
  const total = { bad: 0, good: 0 }
  for (const { bad, weight } of rows) total[bad ? 'bad' : 'good'] += weight
  for (let step = 0; step < ITERATIONS; step++) {
    const gradient = new Array<number>(size + 1).fill(0)
    const curvature = new Array<number>(size + 1).fill(1e-3)
    for (const { inputs, bad, weight } of rows) {
      let sum = weights[size] as number
      for (let i = 0; i < size; i++) sum += (weights[i] as number) * (inputs[i] as number)
      const probability = 1 / (1 + Math.exp(-sum))
      const share = weight / total[bad ? 'bad' : 'good']
      const error = (probability - (bad ? 1 : 0)) * share
      const bend = probability * (1 - probability) * share
      for (let i = 0; i <= size; i++) {
        const input = i === size ? 1 : (inputs[i] as number)
        gradient[i] = (gradient[i] as number) + error * input
        curvature[i] = (curvature[i] as number) + bend * input * input
      }
    }
    for (let i = 0; i <= size; i++) {
      weights[i] = (weights[i] as number) - (0.3 * (gradient[i] as number)) / (curvature[i] as number)
    }
  }
  return weights
}
