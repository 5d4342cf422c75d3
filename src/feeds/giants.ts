import { join } from 'node:path'
import { readSections } from '../lib/sections.ts'

/** Names and addresses of giants.txt: from the first start they must not be condemned, or are shared by strangers. */
export const giants = readSections(join(import.meta.dirname, 'giants.txt'))
