import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** A software passkey: it signs anything a test wants, including what no browser would sign. */
export interface SoftPasskey {
  readonly id: string
  counter: number
  /** The answer to a registration challenge. */
  register(challenge: string, as?: Pretence): unknown
  /** The answer to a sign-in challenge. */
  answer(challenge: string, as?: Pretence): unknown
}

/** The claims of the browser about its origin, and of the device about its user. */
interface Pretence {
  readonly origin?: string
  readonly rpId?: string
  readonly userVerified?: boolean
  readonly userHandle?: string
  readonly type?: string
}

const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()

export function newSoftPasskey(serverUrl: string): SoftPasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const rawId = randomBytes(32)
  const id = rawId.toString('base64url')
  const cose = Buffer.from(
    isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    ),
  )
  const { origin: ownOrigin, hostname } = new URL(serverUrl)

  const clientData = (type: string, challenge: string, { origin = ownOrigin }: Pretence) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticatorData = (flags: number, { rpId = hostname, userVerified = true }: Pretence) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(passkey.counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags | PRESENT | (userVerified ? VERIFIED : 0)]), counter])
  }
  const credential = (response: object) => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  const passkey: SoftPasskey = {
    id,
    counter: 1,
    register(challenge, as = {}) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(rawId.length)
      const authData = Buffer.concat([authenticatorData(ATTESTED, as), Buffer.alloc(16), length, rawId, cose])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ])
      return credential({
        clientDataJSON: clientData(as.type ?? 'webauthn.create', challenge, as).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
        transports: ['internal'],
      })
    },
    answer(challenge, as = {}) {
      passkey.counter++
      const data = clientData(as.type ?? 'webauthn.get', challenge, as)
      const authData = authenticatorData(0, as)
      return credential({
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey).toString('base64url'),
        ...(as.userHandle === undefined ? {} : { userHandle: Buffer.from(as.userHandle).toString('base64url') }),
      })
    },
  }
  return passkey
}
