import { createServer } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

/** Loaded into the server under attack: says what its heap holds after a full collection, so that only what stays counts. */
if (isMainThread) {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const server = createServer((_request, response) => {
    collect()
    response.end(JSON.stringify(process.memoryUsage()))
  })
  server.listen(Number(process.env.ATTACK_MEMORY_PORT), '127.0.0.1').unref()
}
