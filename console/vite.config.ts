import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { guides } from './guides-plugin.ts'

const here = import.meta.dirname

export default defineConfig({
  root: here,
  // Relative names: the server defines the path of the files (src/http/pages.ts).
  base: './',
  plugins: [react(), guides()],
  // Use the sources of the client in this repository, not its build.
  resolve: { conditions: ['@assay/source', ...defaultClientConditions] },
  build: {
    outDir: join(here, 'dist'),
    emptyOutDir: true,
    target: 'es2023',
    // The browsers of this target preload modules themselves.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
