/** Shares and limits of the wording model's log-odds (model/lexical.ts), applied where the name is looked up. */

/** Log-odds that a program made the name up, where nothing can be said. */
export const NOT_MADE_UP = -10

export const PLAIN_WORDING = {
  // Small firms call themselves by plain words, and the model knows more of those from fraud than from small firms.
  share: 0.45,
  luresMax: 1,
  // Hardly a country publishes its new names: too little is known of honest ones there to accuse whole.
  countryShare: 0.6,
} as const

/** The name of a site on a platform is never high without another signal: developers give trials every sort of name. */
export const TENANT_WORDING_MAX = 1.4

/** The suffix may move a score, never decide it: most names under any suffix are honest. */
export const SUFFIX_LIMITS = { country: { min: -2.2, max: 1.1 }, generic: { min: -1, max: 1.3 } } as const
