/**
 * A server of `npm run dev`. It loads the packages immediately and the sources only on the message to start: most of
 * the start time has passed before a file is saved.
 */
const PACKAGES = ['fastify', '@scalar/fastify-api-reference', 'oidc-provider', 'typebox', 'undici']

process.once('message', async () => {
  // A server that does not start must be able to exit.
  process.channel?.unref()
  await import('../src/main.ts')
})
// Exit when the parent process has ended without a message.
process.once('disconnect', () => process.exit(1))
for (const name of PACKAGES) await import(name)
