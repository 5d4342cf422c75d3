/** Shares and limits of the wording model's log-odds (model/lexical.ts), applied in the look-up of the name. */

/** Log-odds of a generated name when nothing is known. */
export const NOT_MADE_UP = -10

export const PLAIN_WORDING = {
  // Small firms use plain words as names, and the model knows such words more from fraud than from small firms.
  share: 0.45,
  luresMax: 1,
  // Hardly any country publishes its new names: too few honest ones are known there for a full accusation.
  countryShare: 0.85,
} as const

/** A name made up by a program is high if that is sure, not because such names are also worded like fraud. */
export const MADE_UP_WORDING_MAX = 1.72

/** The name of a site on a platform is never high alone: developers use all sorts of names for trials. */
export const TENANT_WORDING_MAX = 1.4

/**
 * A name that is itself much like fraud needs less help from its suffix: what it says beyond `from` counts `max` more, less
 * what the suffix adds. So `high` begins at the same names under all suffixes, except those that speak for a name.
 */
export const TELLING_NAME = { from: 2, max: 0.4 } as const

/** The suffix may move a score, never decide it: most names under any suffix are honest. */
export const SUFFIX_LIMITS = { country: { min: -2.2, max: 1.1 }, generic: { min: -1, max: 1.3 } } as const
