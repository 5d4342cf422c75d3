import { KINDS } from './generated/tables.ts'

export type Kind = keyof typeof KINDS
export type Family = (typeof KINDS)[Kind]['family']
export const KIND_NAMES = Object.keys(KINDS) as Kind[]
