import { connect, type Socket } from 'node:net'
import { describe, expect } from 'vitest'
import { startProcess } from '../support/process.ts'
import { fault, type Judged, newFolder, placeOf, seen, settle, until } from './fault.ts'
import { createAccount, startLoad } from './load.ts'

/** Strangers who open connections and do not finish their requests, while callers go on on theirs. */

const SLOW_HEADERS = 'GET /livez HTTP/1.1\r\nHost: x\r\n'

/** Opens connections from addresses of their own: all of 127.0.0.0/8 is this machine. */
function hold(url: string, count: number, addresses: readonly string[]) {
  const { port } = new URL(url)
  let open = 0
  let refused = 0
  const sockets = Array.from({ length: count }, (_, i): Socket => {
    const localAddress = addresses[i % addresses.length]!
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress }, () => open++)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      if (/^HTTP\/1\.1 (429|503)/.test(bytes.toString('latin1'))) refused++
    })
    socket.on('close', () => open--)
    socket.write(SLOW_HEADERS)
    return socket
  })
  return {
    get open() {
      return open
    },
    get refused() {
      return refused
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function under(
  { count, addresses, through = [] }: { count: number; addresses: readonly string[]; through?: readonly string[] },
  words: string,
): Promise<Judged> {
  const folder = newFolder()
  const env = { ASSAY_DATA_DIR: folder.path, LOG_LEVEL: 'warn' }
  const account = await createAccount(placeOf(env))
  const node = await startProcess(env, 'serve', { through })
  try {
    const load = startLoad({ account, urlOf: () => node.url })
    await load.answers(80)
    const strangers = hold(node.url, count, addresses)
    await until('connections are refused', () => strangers.refused > 0)
    await load.answers(200)
    expect(
      node
        .output()
        .split('\n')
        .filter((line) => line.includes(words)),
    ).toHaveLength(1)
    await until('the others are closed, because their headers do not arrive', () => strangers.open === 0)
    const recoveryMs = await load.recovery()
    const meanwhile = `${seen(load)}; ${strangers.refused} of ${count} connections refused`
    strangers.close()
    const comparison = await settle({ load, account, env })
    return { comparison, rounds: 1, recoveriesMs: [recoveryMs], meanwhile }
  } finally {
    await node.kill('SIGKILL')
    folder.remove()
  }
}

describe('connections', () => {
  fault('1,500 connections with slow headers from one address', { short: true }, () =>
    under({ count: 1500, addresses: ['127.0.0.2'] }, 'one address has too many'),
  )

  fault('256 file handles, 1,000 connections from ten addresses', { short: true }, () => {
    const addresses = Array.from({ length: 10 }, (_, i) => `127.0.0.${i + 2}`)
    return under({ count: 1000, addresses, through: ['prlimit', '--nofile=256:256'] }, 'the node has too many')
  })
})
