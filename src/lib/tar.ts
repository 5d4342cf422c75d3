/** A file of a tar archive (POSIX ustar): its header, its content and the padding. Archives end with `TAR_END`. */
export function tarFile(name: string, content: Uint8Array, modifiedAtMs: number): Buffer {
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`
  header.write(name, 0, 100, 'ascii')
  header.write(octal(0o600, 8), 100, 'ascii')
  header.write(octal(0, 8), 108, 'ascii')
  header.write(octal(0, 8), 116, 'ascii')
  header.write(octal(content.length, 12), 124, 'ascii')
  header.write(octal(Math.floor(modifiedAtMs / 1000), 12), 136, 'ascii')
  header.write('        0', 148, 'ascii')
  header.write('ustar\x0000', 257, 'ascii')
  // The sum is made while its own field is blank.
  header.write(`${octal(sum(header), 7)} `, 148, 'ascii')
  return Buffer.concat([header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)])
}

const BLOCK = 512
export const TAR_END = Buffer.alloc(2 * BLOCK)

const sum = (bytes: Buffer) => bytes.reduce((total, byte) => total + byte, 0)
