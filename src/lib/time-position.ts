/** Where a page ended, in a list in the order of time. */
export interface TimePosition {
  readonly createdAtMs: number
  readonly id: string
}
