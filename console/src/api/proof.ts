import { AssayError } from '@assay/sdk'
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  sendSignal,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import type { QueryClient } from '@tanstack/react-query'
import { ONCE, serverFor } from './client.ts'
import type { SecondStep } from './generated/pages.ts'
import { createListeners, perPage, sessionCredential, sessionQuery } from './session.ts'

export type Proof = { readonly passkey: unknown } | { readonly code: string } | { readonly recovery_code: string }

/**
 * Holds calls that the server answers only after a recent proof of identity. They wait until the person has confirmed
 * in a dialog over the page, and are then sent again unchanged: under the same idempotency key, with nothing typed
 * again.
 */
function createProving() {
  const { tell, subscribe } = createListeners()
  let asked: AssayError | undefined
  let waiting: PromiseWithResolvers<void> | undefined
  return {
    /** Resolves when the person has proved their identity; rejects with the refusal when the person declines. */
    after(refusal: AssayError): Promise<void> {
      waiting ??= Promise.withResolvers<void>()
      asked ??= refusal
      tell()
      return waiting.promise
    },
    asked: () => asked,
    subscribe,
    end(outcome: 'proved' | 'left'): void {
      const [ended, refusal] = [waiting, asked]
      waiting = undefined
      asked = undefined
      tell()
      if (outcome === 'proved') ended?.resolve()
      else ended?.reject(refusal)
    },
  }
}

export const provingOf = perPage(createProving)

/** True when a proof lets the call pass. A person without a second factor must first add one, on another page. */
function canBeProved(error: unknown, queries: QueryClient): error is AssayError {
  if (!(error instanceof AssayError)) return false
  if (error.code === 'proof_needed') return true
  const ways = queries.getQueryData(sessionQuery.queryKey)?.second_factor?.ways ?? []
  return error.code === 'second_factor_needed' && ways.length > 0
}

export async function withProof<T>(queries: QueryClient, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!canBeProved(error, queries)) throw error
    await provingOf(queries).after(error)
    return send()
  }
}

const personal = (queries: QueryClient, userId: string) => serverFor(sessionCredential(queries, userId))

export function beginProof(queries: QueryClient, userId: string): Promise<SecondStep['second_factor']> {
  return personal(queries, userId).call('POST /api/session/prove/begin', {})
}

export async function prove(
  queries: QueryClient,
  userId: string,
  ticket: string,
  proof: Proof | { readonly password: string },
): Promise<void> {
  await personal(queries, userId).call('POST /api/session/prove', { body: { ticket, ...proof }, ...ONCE })
  await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
}

/** Passkeys through the browser's API. Its errors are translated into sentences. */

export const knowsPasskeys = (): boolean => browserSupportsWebAuthn()

/** The server creates the options with the server part of this library. */
export function askPasskey(options: unknown): Promise<unknown> {
  return inWords(() => startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }))
}

/** True where the browser offers its passkeys in a field for the user name. */
export const fillsInPasskeys = (): Promise<boolean> => browserSupportsWebAuthnAutofill()

/** The passkey that the person chooses in that field. Another request of a passkey ends the wait. */
export function filledInPasskey(options: unknown): Promise<unknown> {
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return startAuthentication({ optionsJSON, useBrowserAutofill: true })
}

/** Tells the browser, where it listens, that a passkey is gone: it no longer offers it. */
export function forgetPasskey(credentialID: string): void {
  const rpID = window.location.hostname
  sendSignal({ signalName: 'unknownCredential', rpID, credentialID }).catch(() => {})
}

export function makePasskey(options: unknown): Promise<unknown> {
  return inWords(() => startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }))
}

async function inWords(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask()
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    throw new AssayError('passkey_failed', WORDS[name] ?? OTHERWISE, { cause: error })
  }
}

const OTHERWISE = 'The browser could not use a passkey. Try again, or use another method.'
const WORDS: Readonly<Record<string, string>> = {
  NotAllowedError:
    'Nothing was confirmed: it was cancelled, took too long, or there is no passkey for this server here.',
  AbortError: 'It was cancelled.',
  InvalidStateError: 'This device already has a passkey for your account.',
  NotSupportedError: 'This device cannot create such a passkey.',
  ConstraintError: 'This device cannot verify its user. Set up a screen lock or a PIN, or use another device.',
  SecurityError: 'Passkeys work only at the configured address of this server, and only over https. Open that address.',
}
