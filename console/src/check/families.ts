import { type Family, KIND_NAMES, KINDS, type Kind } from '@assay/sdk'

export const familyOf = (kind: Kind) => KINDS[kind].family
export const kindOfFamily = (family: Family) => KIND_NAMES.find((kind) => familyOf(kind) === family)!
