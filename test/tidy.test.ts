import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/**
 * The shape of the code, as a test. Each guard is a function from files to violations, and each is shown to fire on a
 * file that breaks it.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))

interface SourceFile {
  readonly path: string
  readonly text: string
}

function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return listed.split('\n').filter((path) => path !== '' && existsSync(join(ROOT, path)))
}

const FILES = trackedFiles()
const SOURCES: SourceFile[] = FILES.filter((path) => /^(src|sdk|cli|console)\/.*\.tsx?$/.test(path)).map((path) => ({
  path,
  text: readFileSync(join(ROOT, path), 'utf8'),
}))
const SERVER = SOURCES.filter(({ path }) => path.startsWith('src/'))
const isTest = (path: string) => /\.test\.tsx?$/.test(path)

/**
 * Who may import whom in src/. A folder may always import itself. `routes` names what the HTTP faces of a feature
 * (routes, schemas, gates) may use beyond it: its logic stays free of HTTP.
 */
const DIRECTIONS: Record<string, { readonly may: readonly string[]; readonly routes?: readonly string[] }> = {
  lib: { may: [] },
  errors: { may: [] },
  version: { may: ['package.json'] },
  config: { may: ['lib'] },
  db: { may: ['lib', 'errors'] },
  snapshot: { may: ['lib'] },
  jobs: { may: ['db', 'lib'] },
  ops: { may: ['db', 'lib'] },
  identity: { may: ['db', 'lib', 'errors'], routes: ['http'] },
  oauth: { may: ['identity', 'db', 'lib', 'errors', 'http', 'jobs'] },
  risk: { may: ['snapshot', 'lib', 'errors'], routes: ['http', 'identity'] },
  feeds: { may: ['snapshot', 'jobs', 'db', 'lib', 'errors', 'version', 'risk/indicator'], routes: ['http'] },
  billing: { may: ['identity', 'jobs', 'db', 'lib', 'errors'], routes: ['http'] },
  http: { may: ['lib', 'errors', 'version', 'identity', 'db', 'oauth/verify'] },
  operator: {
    may: [
      'billing',
      'config',
      'db',
      'errors',
      'feeds',
      'identity',
      'lib',
      'oauth',
      'ops',
      'risk',
      'snapshot',
      'version',
    ],
  },
}
/** The composition root may see everything; nobody but main may see it. */
const ROOTS = ['app', 'serve', 'main', 'intelligence']

const HTTP_FACE = /(^|[-/])(routes|schema|resources|engine-server)\.ts$/

function partOf(path: string): string {
  return path
    .replace(/^src\//, '')
    .split('/')[0]!
    .replace(/\.ts$/, '')
}

function importsOf({ path, text }: SourceFile): string[] {
  const found = [
    ...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g),
    ...text.matchAll(/new URL\('(\.[^']+\.ts)'/g),
  ]
  return found.map(([, target]) => normalize(join(dirname(path), target!)))
}

function wrongDirections(files: readonly SourceFile[]): string[] {
  const wrong: string[] = []
  for (const file of files) {
    const part = partOf(file.path)
    if (isTest(file.path) || ROOTS.includes(part)) continue
    const rule = DIRECTIONS[part]
    if (!rule) {
      wrong.push(`${file.path}: src/${part} is not in the table of directions`)
      continue
    }
    const allowed = [...rule.may, ...(HTTP_FACE.test(file.path) ? (rule.routes ?? []) : [])]
    for (const target of importsOf(file)) {
      const to = partOf(target)
      const fine = to === part || allowed.some((entry) => entry === to || target === `src/${entry}.ts`)
      if (!fine) wrong.push(`${file.path} imports ${target}`)
    }
  }
  return wrong
}

function impure(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, text }) => {
      const found: string[] = []
      if (path !== 'src/config.ts' && /process\.env/.test(text)) found.push(`${path} reads the environment`)
      if (/^src\/(risk\/(signals|model)|billing\/(pricing|ledger)|snapshot)/.test(path)) {
        if (/Date\.now\(|Math\.random\(|randomBytes|new Date\(\)/.test(text))
          found.push(`${path} reads clock or chance`)
      }
      if (
        /^src\/risk\/(signals|model|combine|weights|score)/.test(path) &&
        /from '(fastify|pg|undici|node:http)'/.test(text)
      ) {
        found.push(`${path} reaches outside`)
      }
      if (/^src\/(billing|identity|risk)\//.test(path) && !HTTP_FACE.test(path) && /from 'fastify'/.test(text)) {
        found.push(`${path} is logic and knows Fastify`)
      }
      return found
    })
}

function untidy(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const found: string[] = []
    if (/(^|\/)(utils?|helpers?|common|misc)(\/|\.tsx?$)/.test(path)) found.push(`${path}: a name that says nothing`)
    if (path.endsWith('/index.ts') && path !== 'sdk/src/index.ts') found.push(`${path}: a barrel file`)
    if (!/^[a-z0-9./-]+$/.test(path) && !/\/generated\//.test(path)) found.push(`${path}: not kebab-case`)
    if (/\b(TODO|FIXME|XXX)\b/.test(text)) found.push(`${path}: something unfinished`)
    if (/@ts-ignore|@ts-expect-error|\bas any\b/.test(text)) found.push(`${path}: the type checker is switched off`)
    return found
  })
}

function cycles(files: readonly SourceFile[]): string[] {
  const edges = new Map<string, Set<string>>()
  for (const file of files.filter(({ path }) => !isTest(path))) {
    // Types count, too: two files that know each other's types cannot be read or changed one at a time.
    edges.set(file.path, new Set(importsOf(file)))
  }
  const done = new Set<string>()
  const found: string[] = []
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      found.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
      return
    }
    if (done.has(path)) return
    for (const next of edges.get(path) ?? []) walk(next, [...trail, path])
    done.add(path)
  }
  for (const path of edges.keys()) walk(path, [])
  return found
}

/** Commands and files that a document names and that do not exist. */
function staleWords(document: SourceFile, scripts: readonly string[], files: ReadonlySet<string>): string[] {
  const stale: string[] = []
  for (const [, script] of document.text.matchAll(/npm run ([a-z:-]+)/g)) {
    if (!scripts.includes(script!)) stale.push(`${document.path}: npm run ${script}`)
  }
  for (const [, target] of document.text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)) {
    const path = normalize(join(dirname(document.path), target!))
    const known = files.has(path) || [...files].some((file) => file.startsWith(`${path.replace(/\/$/, '')}/`))
    if (!known) stale.push(`${document.path}: link to ${target}`)
  }
  for (const [, path] of document.text.matchAll(
    /`((?:src|test|docs|sdk|cli|console|bench|tools|evaluation)\/[\w./-]+)`/g,
  )) {
    const known = files.has(path!) || [...files].some((file) => file.startsWith(`${path!.replace(/\/$/, '')}/`))
    if (!known) stale.push(`${document.path}: ${path}`)
  }
  return stale
}

describe('the direction of imports', () => {
  it('holds everywhere', () => expect(wrongDirections(SERVER)).toEqual([]))
  it('is checked: logic that imports HTTP, and two features that meet, are found', () => {
    const wrong = wrongDirections([
      { path: 'src/billing/meter.ts', text: "import { x } from '../http/gate.ts'" },
      { path: 'src/risk/combine.ts', text: "import type { Plan } from '../billing/plans.ts'" },
      { path: 'src/novel/thing.ts', text: '' },
      { path: 'src/billing/routes.ts', text: "import { x } from '../http/gate.ts'" },
    ])
    expect(wrong).toHaveLength(3)
  })
})

describe('purity', () => {
  it('holds: environment in config alone, no clock or chance in scoring, pricing and snapshot', () => {
    expect(impure(SERVER)).toEqual([])
  })
  it('is checked', () => {
    const found = impure([
      { path: 'src/ops/health.ts', text: 'process.env.PORT' },
      { path: 'src/risk/signals/tor.ts', text: 'Date.now()' },
      { path: 'src/billing/pricing.ts', text: "import x from 'fastify'" },
    ])
    expect(found).toHaveLength(3)
  })
})

describe('tidiness', () => {
  it('holds', () => expect(untidy(SOURCES)).toEqual([]))
  it('is checked', () => {
    expect(untidy([{ path: 'src/utils/x.ts', text: '// TO' + 'DO' }])).toHaveLength(2)
  })
})

describe('circles of imports', () => {
  it('there are none', () => expect(cycles(SOURCES)).toEqual([]))
  it('would be found', () => {
    const found = cycles([
      { path: 'src/lib/a.ts', text: "import { b } from './b.ts'" },
      { path: 'src/lib/b.ts', text: "import { a } from './a.ts'" },
    ])
    expect(found).toHaveLength(1)
  })
  it('would be found among types', () => {
    const found = cycles([
      { path: 'console/src/bulk/page.tsx', text: "import { Drop } from './drop.tsx'" },
      { path: 'console/src/bulk/drop.tsx', text: "import type { OpenList } from './page.tsx'" },
    ])
    expect(found).toHaveLength(1)
  })
})

describe('documents', () => {
  const scripts = Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts)
  const files = new Set(FILES)
  const documents = FILES.filter((path) => path.endsWith('.md') && !path.startsWith('evaluation/')).map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }))

  it('name only scripts and files that exist', () => {
    expect(documents.flatMap((document) => staleWords(document, scripts, files))).toEqual([])
  })
  it('are checked', () => {
    const document = { path: 'README.md', text: 'npm run fly, [here](docs/none.md), `src/none.ts`' }
    expect(staleWords(document, scripts, files)).toHaveLength(3)
  })
  it('name the commands that a stranger and CI use', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    expect(readme).toContain('npm ci && npm start')
    expect(readme).toContain('npm ci && npm test')
    expect(readFileSync(join(ROOT, '.ci/run'), 'utf8')).toContain('npm ci && npm test')
  })
})
