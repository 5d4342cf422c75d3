import { TAGS, type Tag } from '../../snapshot/types.ts'

/** The tags that condemn, taken from the one table of tags. */
export const THREATS: ReadonlySet<Tag> = new Set((Object.keys(TAGS) as Tag[]).filter((tag) => TAGS[tag] === 'threat'))
