import type { AdapterPayload } from 'oidc-provider'
import { type Clock, SECOND_MS, systemClock } from '../lib/clock.ts'

/**
 * The library reads this machine's clock by itself, and another node may read another. Records are therefore kept in
 * the service's time: their times are moved by the difference when they are written and moved back when they are read.
 * So a code or a token lives as long as it should on every node, also when a machine's clock is set meanwhile.
 */
const TIMES = ['iat', 'exp', 'iiat', 'authTime', 'loginTs'] as const

/** By how much the library's time is behind the service's, in whole seconds as the library counts. */
export function libraryBehindSeconds(clock: Clock): number {
  return Math.round((clock.now() - systemClock.now()) / 1000)
}

/** A time of the library, in the service's milliseconds. */
export function toServiceMs(librarySeconds: number, clock: Clock): number {
  return (librarySeconds + libraryBehindSeconds(clock)) * SECOND_MS
}

export function toServiceTime(payload: AdapterPayload, clock: Clock): AdapterPayload {
  return moved(payload, libraryBehindSeconds(clock))
}

export function toLibraryTime(payload: AdapterPayload, clock: Clock): AdapterPayload {
  return moved(payload, -libraryBehindSeconds(clock))
}

function moved(payload: AdapterPayload, seconds: number): AdapterPayload {
  if (seconds === 0) return payload
  const result: AdapterPayload = { ...payload }
  for (const name of TIMES) {
    const time = payload[name]
    if (typeof time === 'number') result[name] = time + seconds
  }
  if (payload.kind === 'PushedAuthorizationRequest' && typeof payload.request === 'string') {
    result.request = movedRequest(payload.request, seconds)
  }
  return result
}

/** What a client pushed is kept as a token without a signature, with times of the library's own. */
function movedRequest(token: string, seconds: number): string {
  const [header = '', body = '', signature] = token.split('.')
  if (signature !== '') return token
  const claims: Record<string, unknown> = JSON.parse(Buffer.from(body, 'base64url').toString())
  for (const name of ['iat', 'nbf', 'exp']) {
    const time = claims[name]
    if (typeof time === 'number') claims[name] = time + seconds
  }
  return `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`
}
