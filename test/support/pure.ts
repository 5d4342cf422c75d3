/**
 * Loaded before the tests of the project `pure`: a test fails there if it starts a thread or a process, or opens a
 * socket or a database. Threads and sockets belong in `*.threads.test.ts`, databases in `*.store.test.ts`.
 */
import { ChildProcess } from 'node:child_process'
import { Socket as Datagrams } from 'node:dgram'
import { syncBuiltinESMExports } from 'node:module'
import { Server, Socket } from 'node:net'
import sqlite from 'node:sqlite'
import threads from 'node:worker_threads'

function refuse(what: string): never {
  throw new Error(`a pure test must not ${what}: see "Three projects" in CONTRIBUTING.md`)
}

Object.assign(ChildProcess.prototype, { spawn: () => refuse('start a process') })
Object.assign(Server.prototype, { listen: () => refuse('listen') })
Object.assign(Socket.prototype, { connect: () => refuse('open a connection') })
Object.assign(Datagrams.prototype, { bind: () => refuse('open a socket'), connect: () => refuse('open a socket') })
Object.assign(threads, { Worker: refusing('start a thread') })
Object.assign(sqlite, { DatabaseSync: refusing('open a database') })
syncBuiltinESMExports()

function refusing(what: string): new () => unknown {
  return class {
    constructor() {
      refuse(what)
    }
  }
}
