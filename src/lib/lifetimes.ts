/** How long codes, tokens and sessions of OAuth and sign-in are valid. The configuration may set each. */
export const DEFAULT_LIFETIMES = {
  authorizationCodeSeconds: 60,
  accessTokenSeconds: 3600,
  idTokenSeconds: 3600,
  refreshTokenSeconds: 30 * 86_400,
  /** The lifetime of a whole chain of refresh tokens. */
  refreshChainSeconds: 90 * 86_400,
  deviceCodeSeconds: 600,
  deviceIntervalSeconds: 5,
  sessionSeconds: 12 * 3600,
  signingKeyPublishedSeconds: 86_400,
  /** How long a used refresh token still works. */
  refreshGraceSeconds: 10,
}

export type Lifetimes = Readonly<typeof DEFAULT_LIFETIMES>
