import type { TextMap } from '../../lib/text-index.ts'
import type { Snapshot } from '../../snapshot/types.ts'
import type { BrandIndex } from './brands.ts'
import type { ClaimWords } from './claims.ts'
import type { Confusables } from './confusables.ts'
import type { GeneratedNameModel } from './dga.ts'
import type { LexicalModel } from './lexical.ts'
import type { Tables } from './tables.ts'
import type { Lexicon } from './words.ts'

/** All models and tables that signals use beside the snapshot. */
export interface Models {
  /** The filled tables. A thread that receives them need not fill its own. */
  readonly tables: Tables
  readonly brands: BrandIndex
  readonly claimWords: ClaimWords
  readonly lexicon: Lexicon
  readonly confusables: Confusables
  readonly lexical: LexicalModel
  readonly generated: GeneratedNameModel
  /** Local parts that name a function rather than a person. */
  readonly roles: TextMap<true>
}

/** The models, with the wording model trained on the lists of a snapshot. */
export function taughtBy({ listedNames }: Snapshot, models: Models): Models {
  return { ...models, lexical: models.lexical.learn(listedNames) }
}
