/**
 * Compiles the intelligence that ships in packages into one file, and packs what compiling it again needs of packages
 * that a released server is without. npm runs it at the end of an install (`prepare`), so that a first start only opens it.
 * An install without development dependencies keeps what it was given.
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
