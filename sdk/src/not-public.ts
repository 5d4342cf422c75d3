import { RESERVED_NAMES, SPECIAL_ADDRESSES } from './generated/tables.ts'
import type { Kind } from './kinds.ts'

/**
 * The reason why an indicator cannot be checked, found without asking the service: a private address, or a name that
 * nobody can register. The service gives such an indicator a low score, which does not mean that it is safe. Undefined
 * for everything else, invalid indicators included. The service knows more of these, such as tunnel addresses and
 * endings that no registry runs; ask it with `explain`.
 */
export function whyNothingToCheck(kind: Kind, indicator: string): string | undefined {
  const text = indicator.trim()
  if (kind === 'ip') return text.includes(':') ? specialV6(text) : specialV4(text)
  return reserved(kind === 'email' ? text.slice(text.lastIndexOf('@') + 1) : text)
}

function reserved(name: string): string | undefined {
  const lower = name.toLowerCase()
  const labels = (lower.endsWith('.') ? lower.slice(0, -1) : lower).split('.')
  if (labels.length < 2) return undefined
  return WHY.get(labels.at(-1) ?? '') ?? WHY.get(labels.slice(-2).join('.'))
}

const WHY = new Map<string, string>(Object.entries(RESERVED_NAMES).map(([name, { why }]) => [name, why]))

type Range<Value> = { readonly first: Value; readonly last: Value; readonly use: string }

const V4: Range<number>[] = []
const V6: Range<bigint>[] = []
for (const [cidr, { use }] of Object.entries(SPECIAL_ADDRESSES)) {
  const [address = '', prefix = ''] = cidr.split('/')
  if (address.includes(':')) {
    const first = valueV6(address) ?? 0n
    V6.push({ first, last: first + (1n << BigInt(128 - Number(prefix))) - 1n, use })
  } else {
    const first = valueV4(address) ?? 0
    V4.push({ first, last: first + 2 ** (32 - Number(prefix)) - 1, use })
  }
}

function specialV4(text: string): string | undefined {
  const value = valueV4(text)
  return value === undefined ? undefined : V4.find(({ first, last }) => value >= first && value <= last)?.use
}

function specialV6(text: string): string | undefined {
  const value = valueV6(text)
  if (value === undefined) return undefined
  // ::ffff:0:0/96 contains IPv4 addresses unchanged.
  if (value >> 32n === 0xffffn) return specialV4(dotted(Number(value & 0xffffffffn)))
  return V6.find(({ first, last }) => value >= first && value <= last)?.use
}

function valueV4(text: string): number | undefined {
  const octets = text.split('.')
  if (octets.length !== 4 || !octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) < 256)) {
    return undefined
  }
  return octets.reduce((value, octet) => value * 256 + Number(octet), 0)
}

const dotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')

function valueV6(text: string): bigint | undefined {
  if (!/^[\da-f:.]+$/i.test(text)) return undefined
  let host: string
  try {
    // Normalises every form: groups in hexadecimal digits, with at most one gap.
    host = new URL(`http://[${text}]/`).hostname.slice(1, -1)
  } catch {
    return undefined
  }
  const [head = '', tail] = host.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const before = groups(head)
  const after = groups(tail ?? '')
  const gap = new Array<string>(8 - before.length - after.length).fill('0')
  return BigInt(`0x${[...before, ...gap, ...after].map((group) => group.padStart(4, '0')).join('')}`)
}
