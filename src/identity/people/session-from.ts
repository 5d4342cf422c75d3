/** Where somebody signs in from. */
export interface SessionFrom {
  readonly ip: string
  readonly userAgent: string | undefined
  /** SHA-256 of the cookie by which the browser is known again. */
  readonly deviceDigest: string
  readonly requestId?: string | undefined
  /** In words; null where nobody knows. */
  readonly place?: string | null | undefined
}
