import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** Creates X.509 certificates, so that no key is stored in the repository and no certificate expires. */
export interface CertificateWish {
  /** DNS names, in the extension that clients read. */
  readonly names?: readonly string[]
  readonly organisation?: string
  readonly commonName?: string
  /** With a precision of a second. */
  readonly notBeforeMs: number
  readonly notAfterMs: number
  /** Default: self-signed. */
  readonly issuer?: MadeCertificate
  /** True when it may sign other certificates. */
  readonly authority?: boolean
}

export interface MadeCertificate {
  readonly key: string
  readonly cert: string
  readonly signWith: KeyObject
  readonly subject: Buffer
}

export function makeCertificate(wish: CertificateWish): MadeCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = distinguishedName(wish)
  const body = sequence(
    tagged(0xa0, integer(2)),
    integer(1 + Math.floor(Math.random() * 1e9)),
    ECDSA_WITH_SHA256,
    wish.issuer?.subject ?? subject,
    sequence(time(wish.notBeforeMs), time(wish.notAfterMs)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions(wish))),
  )
  const signature = sign('sha256', body, wish.issuer?.signWith ?? privateKey)
  const certificate = sequence(body, ECDSA_WITH_SHA256, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    signWith: privateKey,
    subject,
  }
}

function extensions({ names = [], authority = false }: CertificateWish): Buffer[] {
  const alternatives = sequence(...names.map((name) => tagged(0x82, Buffer.from(name, 'latin1'))))
  const constraints = sequence(...(authority ? [Buffer.from([0x01, 0x01, 0xff])] : []))
  return [
    ...(names.length > 0 ? [sequence(objectId('551d11'), tagged(0x04, alternatives))] : []),
    sequence(objectId('551d13'), tagged(0x04, constraints)),
  ]
}

function distinguishedName({ organisation, commonName }: CertificateWish): Buffer {
  const part = (id: string, text: string | undefined) =>
    text === undefined ? [] : [tagged(0x31, sequence(objectId(id), tagged(0x0c, Buffer.from(text))))]
  return sequence(...part('55040a', organisation), ...part('550403', commonName))
}

function tagged(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const length = content.length
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}

function sequence(...contents: Buffer[]): Buffer {
  return tagged(0x30, ...contents)
}

function objectId(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'))
}

const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302'))

function integer(value: number): Buffer {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  return tagged(0x02, bytes[0]! > 127 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

/** GeneralizedTime: `20261116120000Z`. */
function time(ms: number): Buffer {
  return tagged(0x18, Buffer.from(`${new Date(ms).toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`))
}
