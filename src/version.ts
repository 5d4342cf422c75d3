import manifest from '../package.json' with { type: 'json' }

/** The version of this server, as package.json states it. */
export const VERSION = manifest.version
