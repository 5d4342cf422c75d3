import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

/** Runs at the end of an install (`prepare`). Without development dependencies the pages that came with it stay. */
async function loadVite(): Promise<typeof import('vite') | undefined> {
  try {
    return await import('vite')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** Writes `.br` and `.gz` beside every text file, so that the server never compresses a file while serving it. */
async function precompress(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!/\.(js|css|svg)$/.test(name)) continue
    const path = join(directory, name)
    const content = await readFile(path)
    const [brotli, gzipped] = await Promise.all([
      promisify(brotliCompress)(content),
      promisify(gzip)(content, { level: 9 }),
    ])
    await writeFile(`${path}.br`, brotli)
    await writeFile(`${path}.gz`, gzipped)
  }
}

// Overrides the environment of the install: with another value the libraries' development code would be included.
process.env.NODE_ENV = 'production'
const vite = await loadVite()
if (vite) {
  await vite.build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' })
  await precompress(join(import.meta.dirname, 'dist', 'assets'))
} else {
  console.error('console: not built, because Vite is a development dependency and was not installed')
}
