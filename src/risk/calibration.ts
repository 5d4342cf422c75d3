/**
 * From log-odds to 0–100: a score is the share of bad ones in a hundred with this score, in the mixture of established,
 * new and bad names that people check. The knots are fitted (lab/fit-calibration.ts); between them the log-odds are
 * interpolated linearly, beyond them shifted by as much as at the last knot.
 */
export interface Calibration {
  /** Rises with the log-odds, 0 to 100. */
  points(logOdds: number): number
}

export interface CalibrationFile {
  /** Summed log-odds and their calibrated values; both rise. */
  readonly knots: readonly (readonly number[])[]
}

export function createCalibration({ knots }: CalibrationFile): Calibration {
  const from = Float64Array.from(knots, ([given]) => given ?? 0)
  const to = Float64Array.from(knots, ([, worth]) => worth ?? 0)
  const last = from.length - 1
  const moved = (logOdds: number) => {
    if (last < 0) return logOdds
    if (logOdds <= (from[0] as number)) return logOdds - (from[0] as number) + (to[0] as number)
    if (logOdds >= (from[last] as number)) return logOdds - (from[last] as number) + (to[last] as number)
    let at = 1
    while (logOdds > (from[at] as number)) at++
    const share = (logOdds - (from[at - 1] as number)) / ((from[at] as number) - (from[at - 1] as number))
    return (to[at - 1] as number) + share * ((to[at] as number) - (to[at - 1] as number))
  }
  return { points: (logOdds) => 100 / (1 + Math.exp(-moved(logOdds))) }
}
