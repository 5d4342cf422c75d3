import manifest from '../package.json' with { type: 'json' }

/** The version of this server, as package.json states it. */
export const VERSION = manifest.version

/** The version of the interface under /v1, in openapi.json. A release of the program does not change it. */
export const INTERFACE_VERSION = '1.0.0'
