/** Something that `assayd ledger verify` found. */
export interface Difference {
  /** `restore`: the file of anchors knows what the database does not, as after a backup was restored. */
  readonly part: 'ledger' | 'audit' | 'anchor' | 'restore'
  /** Undefined for anchors; empty for what the operator did in no organisation. */
  readonly organisationId: string | undefined
  /** The entry, or the anchor, that does not fit; undefined when the account or the head itself is at fault. */
  readonly seq: number | undefined
  readonly entryId: string | undefined
  readonly problem: string
}
