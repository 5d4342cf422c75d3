/** Origin of a sign-in. */
export interface SessionFrom {
  readonly ip: string
  readonly userAgent: string | undefined
  /** SHA-256 of the cookie that identifies the browser. */
  readonly deviceDigest: string
  readonly requestId?: string | undefined
  /** Place in words; null if unknown. */
  readonly place?: string | null | undefined
}
