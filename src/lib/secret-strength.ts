/** The reason why a secret is easy to guess, as the end of a sentence; undefined when none is found. */
export function weaknessOf(secret: string): string | undefined {
  if (secret.length < CHARACTERS_MIN) return `is shorter than ${CHARACTERS_MIN} characters`
  const known = WELL_KNOWN.find((word) => secret.toLowerCase().includes(word))
  if (known !== undefined) return `contains "${known}", as examples do`
  if (isRepeated(secret)) return 'repeats itself'
  if (stepsInARow(secret) > (secret.length * 2) / 3) return 'is a sequence of neighbouring characters'
  if (varietyBits(secret) < VARIETY_BITS_MIN) return 'contains too few different characters'
  return undefined
}

const CHARACTERS_MIN = 32
/** 32 random hexadecimal digits have about 118 by this measure. */
const VARIETY_BITS_MIN = 90

/** From documents, examples and keyboards. A random value contains none of them: each has six characters or more. */
const WELL_KNOWN = (
  'secret,password,passphrase,changeme,change-me,change_me,example,openssl,output of,qwerty,asdfgh,replace,default,' +
  'development,production,1234567890,abcdefgh,at least 32'
).split(',')

/** One piece repeated, at least twice; the last repetition may be cut. */
function isRepeated(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period++) {
    if (text.slice(period) === text.slice(0, -period)) return true
  }
  return false
}

/** How many characters equal the one before, or its neighbour in the alphabet. */
function stepsInARow(text: string): number {
  let steps = 0
  for (let i = 1; i < text.length; i++) {
    if (Math.abs(text.charCodeAt(i) - text.charCodeAt(i - 1)) <= 1) steps++
  }
  return steps
}

/** Shannon's measure over the characters of the text. */
function varietyBits(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length)
  return bits
}
