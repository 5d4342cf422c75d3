import { type Body, server, withCsrf } from './client.ts'
import type { Credentials, GoOn, Interaction, SecondStep } from './generated/pages.ts'

export type Consent = Body<'POST /api/interaction/{uid}/consent'>

/** Sign-in and consent on behalf of an application: one interaction, known by its uid and a cookie. */

export function readInteraction(uid: string, signal: AbortSignal): Promise<Interaction> {
  return server.call('GET /api/interaction/{uid}', { path: { uid }, signal })
}

export function signInTo(uid: string, credentials: Credentials, csrf: string): Promise<GoOn | SecondStep> {
  return server.call('POST /api/interaction/{uid}/login', { path: { uid }, body: credentials, ...withCsrf(csrf) })
}

/** Goes on with the session that the browser has. */
export async function goOnTo(uid: string, csrf: string): Promise<GoOn> {
  const answer = await server.call('POST /api/interaction/{uid}/login', { path: { uid }, body: {}, ...withCsrf(csrf) })
  if ('second_factor' in answer) throw new Error('a session was asked for a second factor')
  return answer
}

export function decide(uid: string, consent: Consent, csrf: string): Promise<GoOn> {
  return server.call('POST /api/interaction/{uid}/consent', { path: { uid }, body: consent, ...withCsrf(csrf) })
}
