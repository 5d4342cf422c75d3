/**
 * A server of `npm run dev`. It loads the packages at once and the sources only when it is told to start: most of the
 * time that a start takes is over before a file is saved.
 */
const PACKAGES = ['fastify', '@scalar/fastify-api-reference', 'oidc-provider', 'typebox', 'undici']

process.once('message', async () => {
  // A server that does not start must be free to end.
  process.channel?.unref()
  await import('../src/main.ts')
})
// Nothing is left behind by a parent that could not say goodbye.
process.once('disconnect', () => process.exit(1))
for (const name of PACKAGES) await import(name)
