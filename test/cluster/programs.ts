/** Real programs in front of the nodes, with the files of deploy/cluster: only names, ports and certificates differ. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/ports.ts'

const SAMPLES = join(import.meta.dirname, '../../deploy/cluster')

/** Debian's package for each program. */
export const PACKAGES = {
  nginx: 'nginx-light',
  haproxy: 'haproxy',
  caddy: 'caddy',
  pgbouncer: 'pgbouncer',
  promtool: 'prometheus',
} as const

export type Program = keyof typeof PACKAGES

/** The programs of this list that are not installed. */
export function missingPrograms(names: readonly Program[] = Object.keys(PACKAGES) as Program[]): Program[] {
  return names.filter((name) => {
    try {
      execFileSync('sh', ['-c', `PATH="$PATH:/usr/sbin" command -v ${name}`], { stdio: 'ignore' })
      return false
    } catch {
      return true
    }
  })
}

export interface Front {
  readonly url: string
  close(): Promise<void>
}

interface Changes {
  readonly folder: string
  readonly port: number
  /** The two nodes, as host:port. */
  readonly nodes: readonly [string, string]
}

type Replacements = readonly (readonly [from: string, to: string])[]

function sampleWith(file: string, { nodes }: Changes, replacements: Replacements): string {
  return replaced(file, [['10.0.0.11:8080', nodes[0]], ['10.0.0.12:8080', nodes[1]], ...replacements])
}

/** Each replacement must be found: a sample that was changed is tested as it is, or not at all. */
function replaced(file: string, replacements: Replacements): string {
  let text = readFileSync(join(SAMPLES, file), 'utf8')
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`deploy/cluster/${file} lacks ${JSON.stringify(from)}`)
    text = text.replaceAll(from, to)
  }
  return text
}

const FRONTS: Record<
  'nginx' | 'haproxy' | 'caddy',
  { file: string; config(changes: Changes): string; args(path: string, folder: string): string[] }
> = {
  nginx: {
    file: 'nginx.conf',
    config(changes) {
      const { folder, port } = changes
      const sample = sampleWith('nginx.conf', changes, [
        ['listen 80;', `listen 127.0.0.1:${port + 1};`],
        ['    listen [::]:80;\n', ''],
        ['listen 443 ssl http2;', `listen 127.0.0.1:${port};`],
        ['    listen [::]:443 ssl http2;\n', ''],
        ['    ssl_certificate /etc/ssl/assay/fullchain.pem;\n', ''],
        ['    ssl_certificate_key /etc/ssl/assay/privkey.pem;\n', ''],
      ])
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      )
      return `pid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nevents { worker_connections 1024; }
http {\naccess_log off;\n${paths.join('\n')}\n${sample}\n}\n`
    },
    args: (path, folder) => ['-p', folder, '-c', path, '-g', 'daemon off;'],
  },
  haproxy: {
    file: 'haproxy.cfg',
    config: (changes) =>
      sampleWith('haproxy.cfg', changes, [
        ['    bind :80\n', ''],
        ['bind :443 ssl crt /etc/ssl/assay/assay.pem alpn h2,http/1.1', `bind 127.0.0.1:${changes.port}`],
        ['    http-request redirect scheme https code 301 unless { ssl_fc }\n', ''],
      ]),
    args: (path) => ['-db', '-f', path],
  },
  caddy: {
    file: 'Caddyfile',
    config: (changes) =>
      `{\n\tadmin off\n}\n${sampleWith('Caddyfile', changes, [['assay.example.com {', `http://127.0.0.1:${changes.port} {`]])}`,
    args: (path) => ['run', '--config', path, '--adapter', 'caddyfile'],
  },
}

/** Starts a balancer in front of two nodes; resolves when it listens. */
export async function startFront(name: keyof typeof FRONTS, nodes: readonly [string, string]): Promise<Front> {
  const folder = mkdtempSync(join(tmpdir(), `assay-${name}-`))
  const port = await freePort()
  const { file, config, args } = FRONTS[name]
  const path = join(folder, file)
  writeFileSync(path, config({ folder, port, nodes }))
  const program = await startProgram(name, args(path, folder), { port, folder })
  return { url: `http://127.0.0.1:${port}`, ...program }
}

/** pgbouncer in front of a PostgreSQL of the tests, for all of its databases; resolves when it listens. */
export async function startPgbouncer(postgresUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-pgbouncer-'))
  const port = await freePort()
  const { hostname, port: postgresPort } = new URL(postgresUrl)
  const path = join(folder, 'pgbouncer.ini')
  // It refuses to run as root.
  chmodSync(folder, 0o755)
  const config = replaced('pgbouncer.ini', [
    ['assay = host=10.0.0.20 port=5432', `* = host=${hostname} port=${postgresPort}`],
    ['listen_addr = 10.0.0.20', 'listen_addr = 127.0.0.1\nunix_socket_dir ='],
    ['listen_port = 6432', `listen_port = ${port}`],
    ['auth_type = scram-sha-256', 'auth_type = any'],
    ['auth_file = /etc/pgbouncer/userlist.txt\n', ''],
  ])
  writeFileSync(path, config.replace('* = host=', '* = user=postgres host='))
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const program = await startProgram('pgbouncer', [...user, path], { port, folder })
  return { port, ...program }
}

/** Runs a program in the foreground until it listens; its folder is removed when it ends. */
async function startProgram(
  name: Program,
  args: readonly string[],
  { port, folder }: { port: number; folder: string },
): Promise<{ close(): Promise<void> }> {
  const env = { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(name, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)
  const closed = once(child, 'close').then(() => process.off('exit', onExit))
  await Promise.race([
    listens(port, child),
    closed.then(() => Promise.reject(new Error(`${name} did not start: ${output}`))),
  ])
  return {
    async close() {
      child.kill('SIGTERM')
      await closed
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const TRIES = 400

async function listens(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < TRIES && child.exitCode === null; tries++) {
    const socket = connect(port, '127.0.0.1')
    const opened = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (opened) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`nothing listens on ${port}`)
}
