// package.json
var version = "1.0.0";

// src/version.ts
/** The version of this server, as package.json states it. */
const VERSION = version;

export { VERSION as t };