/** The end of a page in a list that is ordered by time. */
export interface TimePosition {
  readonly createdAtMs: number
  readonly id: string
}
