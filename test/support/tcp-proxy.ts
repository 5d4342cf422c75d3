import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** The direction of some bytes: to the server, or back from it. */
export type Way = 'there' | 'back'

export interface TcpProxy {
  readonly port: number
  /** The port for new connections. */
  target: number
  /** The delay of every piece of data, in both directions. */
  delayMs: number
  /** While true, new connections are closed immediately. */
  refusing: boolean
  /** Called for every piece before it is passed on; true cuts that connection there, and the piece is lost. */
  cutAt: ((way: Way, bytes: Buffer) => boolean) | undefined
  /** Cuts every connection; returns their number. */
  cutAll(): number
  close(): Promise<void>
}

/** A connection between a program and a server that can be slow, break, or be redirected. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<() => void>()
  const server = createServer((client) => {
    if (proxy.refusing) {
      client.on('error', () => {})
      client.resetAndDestroy()
      return
    }
    const upstream = connect(proxy.target, '127.0.0.1')
    const cut = () => {
      pairs.delete(cut)
      client.destroy()
      upstream.destroy()
    }
    pairs.add(cut)
    pass(client, upstream, 'there', cut)
    pass(upstream, client, 'back', cut)
  })

  function pass(from: Socket, to: Socket, way: Way, cut: () => void): void {
    from.setNoDelay(true)
    from.on('error', cut)
    from.on('close', () => later(cut))
    from.on('data', (bytes: Buffer) => {
      if (proxy.cutAt?.(way, bytes)) {
        cut()
        return
      }
      later(() => {
        if (!to.destroyed) to.write(bytes)
      })
    })
  }

  // Timers of equal length fire in the order they were set, so that no piece overtakes another.
  function later(fn: () => void): void {
    if (proxy.delayMs > 0) setTimeout(fn, proxy.delayMs)
    else fn()
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: TcpProxy = {
    port: (server.address() as AddressInfo).port,
    target,
    delayMs: 0,
    refusing: false,
    cutAt: undefined,
    cutAll() {
      const count = pairs.size
      for (const cut of [...pairs]) cut()
      return count
    },
    async close() {
      proxy.cutAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
