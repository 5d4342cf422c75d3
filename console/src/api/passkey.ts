import { AssayError } from '@assay/sdk'
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

/** Passkeys through the browser's API. Its errors are translated into sentences. */

export const knowsPasskeys = (): boolean => browserSupportsWebAuthn()

/** The server creates the options with the server part of this library. */
export function askPasskey(options: unknown): Promise<unknown> {
  return inWords(() => startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }))
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

const OTHERWISE = 'The browser could not use a passkey. Try again, or use another way.'
const WORDS: Readonly<Record<string, string>> = {
  NotAllowedError:
    'Nothing was confirmed: it was cancelled, took too long, or there is no passkey for this server here.',
  AbortError: 'It was cancelled.',
  InvalidStateError: 'This device has a passkey for your account already.',
  NotSupportedError: 'This device cannot make such a passkey.',
  ConstraintError: 'This device cannot check who holds it. Set up a screen lock or a PIN, or use another device.',
  SecurityError:
    'Passkeys work only at the address this server is set up for, and only over https. Open it by that address.',
}
