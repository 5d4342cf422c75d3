import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Servers as processes of their own, for benchmarks that measure over HTTP. */
export interface Server {
  readonly url: string
  readonly child: ChildProcess
  readonly apiKey: string
}

export const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export const startBare = () => start([file('bare-server.ts')], {})
export const startLiveServers = (latencyMs: number) =>
  start([file('live-servers.ts')], { LATENCY_MS: String(latencyMs) })
export const startSink = () => start([file('sink.ts')], {})

export function startAssay(env: Record<string, string>, program = file('../src/main.ts')): Promise<Server> {
  return start([program, 'serve', '--json'], env)
}

export function assayEnvironment(folder: string): Record<string, string> {
  return {
    ASSAY_DATA_DIR: folder,
    PORT: '0',
    HOST: '127.0.0.1',
    // As behind a proxy: one address alone may not have so many connections.
    ASSAY_TRUST_PROXY: 'loopback',
    ASSAY_METRICS_PORT: 'off',
    ASSAY_FEEDS_REFRESH: 'off',
    ASSAY_LIVE: 'off',
    ASSAY_PLANS_FILE: file('plans.json'),
  }
}

const children: ChildProcess[] = []

/** Ends every server of this process, also one that is still starting. */
export function killServers(): void {
  for (const child of children) child.kill('SIGKILL')
}

async function start(args: readonly string[], env: Record<string, string>): Promise<Server> {
  const child = spawn(process.execPath, [...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const ended = (code: number | null) => child.stdout.destroy(new Error(`a server ended with ${code} at its start`))
  child.once('exit', ended)
  child.stdout.setEncoding('utf8')
  let text = ''
  for (;;) {
    const [chunk] = (await once(child.stdout, 'data')) as [string]
    text += chunk
    const line = text.split('\n').find((candidate) => candidate.startsWith('{"url"') && candidate.endsWith('}'))
    if (!line) continue
    // Logs go on flowing, as in real life; somebody has to read them.
    child.stdout.resume()
    child.off('exit', ended)
    const { url, demo_key } = JSON.parse(line) as { url: string; demo_key?: string }
    return { url, child, apiKey: demo_key ?? '' }
  }
}

/** Time of a core that a server used: all its threads, and the one that serves. */
export function cpuNs({ child }: Server): { all: number; serving: number } {
  const tasks = `/proc/${child.pid}/task`
  const ran = (task: string) => Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0])
  const all = readdirSync(tasks).reduce((sum, task) => sum + ran(task), 0)
  return { all, serving: ran(String(child.pid)) }
}

/** How many others wanted the cores meanwhile: figures of a machine that is shared mean little without it. */
export const machineLoad = () => `load average of the machine ${loadavg()[0]?.toFixed(0)} on ${cpus().length} cores`

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
