/**
 * Compiles the intelligence that ships in packages into one file. npm runs it at the end of an install (`prepare`), so
 * that a first start only opens it.
 */
import { BUILT_SNAPSHOT, compileBundled } from '../src/feeds/bundled.ts'

compileBundled({ file: BUILT_SNAPSHOT, nowMs: Date.now() })
