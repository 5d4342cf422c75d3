import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into the server under attack. `/memory` says what its heap holds after a full collection, so that only what
 * stays counts. `/cpu` says how many microseconds of processor time its serving thread has used. `/idle/<port>` is answered when nothing that came whole from this port of a client is under way.
 */
if (isMainThread) {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const underWay = new Map<ServerResponse, IncomingMessage>()
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    underWay.set(response, request)
    response.once('close', () => underWay.delete(response))
  })
  const isIdle = async (port: number) => {
    for (const [response, request] of underWay) {
      if (request.socket.remotePort !== port || !request.complete) continue
      await once(response, 'close')
      return false
    }
    return true
  }
  const server = createServer(async (request, response) => {
    const port = /^\/idle\/(\d+)$/.exec(request.url ?? '')?.[1]
    if (port !== undefined) {
      while (!(await isIdle(Number(port))));
      response.end()
      return
    }
    if (request.url === '/cpu') {
      const { user, system } = process.threadCpuUsage()
      response.end(String(user + system))
      return
    }
    collect()
    response.end(JSON.stringify(process.memoryUsage()))
  })
  server.listen(Number(process.env.ATTACK_INSIGHT_PORT), '127.0.0.1').unref()
}
