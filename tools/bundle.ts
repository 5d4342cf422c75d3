/**
 * Compiles the intelligence of the installed packages into one file, and packs the inputs for compiling it again that a
 * released server does not install. npm runs it at the end of an install (`prepare`), so that a first start only opens
 * the file. An install without development dependencies keeps the file that came with it.
 */
import {
  BUILT_ASN_RANGES,
  BUILT_SNAPSHOT,
  compileBundled,
  hasAsnPackage,
  packedAsnPackage,
} from '../src/feeds/bundled.ts'
import { beginWholeFile } from '../src/lib/whole-file.ts'

if (hasAsnPackage()) {
  const packed = beginWholeFile(BUILT_ASN_RANGES)
  packed.put(packedAsnPackage())
  packed.keep()
  compileBundled({ file: BUILT_SNAPSHOT, nowMs: Date.now() })
} else {
  console.error(
    'intelligence: not compiled, because the ranges of AS numbers are a development dependency and were not installed',
  )
}
