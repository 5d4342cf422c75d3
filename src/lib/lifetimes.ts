/** How long what OAuth and sign-in give out stays good. The configuration may set each. */
export interface Lifetimes {
  readonly authorizationCodeSeconds: number
  readonly accessTokenSeconds: number
  readonly idTokenSeconds: number
  readonly refreshTokenSeconds: number
  /** Of a whole chain of refresh tokens. */
  readonly refreshChainSeconds: number
  readonly deviceCodeSeconds: number
  readonly deviceIntervalSeconds: number
  readonly sessionSeconds: number
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
}
