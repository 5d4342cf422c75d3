/** How long codes, tokens and sessions of OAuth and sign-in are valid. The configuration may set each. */
export interface Lifetimes {
  readonly authorizationCodeSeconds: number
  readonly accessTokenSeconds: number
  readonly idTokenSeconds: number
  readonly refreshTokenSeconds: number
  /** The lifetime of a whole chain of refresh tokens. */
  readonly refreshChainSeconds: number
  readonly deviceCodeSeconds: number
  readonly deviceIntervalSeconds: number
  readonly sessionSeconds: number
  /** How long a signing key is published before it signs. */
  readonly signingKeyPublishedSeconds: number
  /** How long a used refresh token still works. */
  readonly refreshGraceSeconds: number
}

export const DEFAULT_LIFETIMES: Lifetimes = {
  authorizationCodeSeconds: 60,
  accessTokenSeconds: 3600,
  idTokenSeconds: 3600,
  refreshTokenSeconds: 30 * 86_400,
  refreshChainSeconds: 90 * 86_400,
  deviceCodeSeconds: 600,
  deviceIntervalSeconds: 5,
  sessionSeconds: 12 * 3600,
  signingKeyPublishedSeconds: 86_400,
  refreshGraceSeconds: 10,
}
