import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The addresses of a host, IPv4 first: a machine may name an IPv6 address that it does not have. */
export async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true, order: 'ipv4first' })
  return [...new Set(found.map(({ address }) => address))]
}

/**
 * Opens the server on all of these addresses: `localhost` usually has two, and a proxy may use both. Fastify would open
 * another server for the second one, without our limits on connections and requests. Returns the port, which the system
 * chooses for port 0, and a function that ends the listening on the other addresses.
 */
export async function listenOn(app: FastifyInstance, addresses: readonly string[], port: number) {
  const [first, ...others] = addresses
  if (first === undefined) throw new Error('the host has no address')
  await app.listen({ host: first, port })
  const { port: opened } = app.server.address() as AddressInfo
  const doors = await Promise.all(others.map((host) => openDoor(app.server, { host, port: opened })))
  return {
    port: opened,
    async close() {
      for (const door of doors) door?.close()
    },
  }
}

/** Hands the connections of another address to the server; undefined if the machine lacks this address. */
async function openDoor(server: Server, at: { readonly host: string; readonly port: number }) {
  const door = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
  try {
    await once(door.listen(at), 'listening')
    return door
  } catch {
    return undefined
  }
}
