/** A mismatch that `assayd ledger verify` found. */
export interface Difference {
  /** `restore`: the anchors file has anchors that the database lacks, as after restoring a backup. */
  readonly part: 'ledger' | 'audit' | 'anchor' | 'restore'
  /** Undefined for anchors; empty for the operator's actions outside any organisation. */
  readonly organisationId: string | undefined
  /** The entry or anchor that does not match; undefined when the account or the head itself is wrong. */
  readonly seq: number | undefined
  readonly entryId: string | undefined
  readonly problem: string
}
