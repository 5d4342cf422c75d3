import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ALL_OPERATIONS } from './support/openapi.ts'

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
const SOURCES: SourceFile[] = FILES.filter((path) => /^(src|sdk|reader|cli|console)\/.*\.tsx?$/.test(path)).map(
  (path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }),
)
const SERVER = SOURCES.filter(({ path }) => path.startsWith('src/'))
const isTest = (path: string) => /\.test\.tsx?$/.test(path)

interface Direction {
  readonly may: readonly string[]
  /** Further imports that are allowed only in the faces of the part (HTTP, verbs): its rules stay free of both. */
  readonly faces: readonly string[]
}

/** Who may import whom in src/, from the table in ARCHITECTURE.md. A part may always import itself. */
function readDirections(markdown: string): Map<string, Direction> {
  const section = markdown.slice(markdown.indexOf('## Parts'), markdown.indexOf('## Decisions'))
  const names = (cell: string | undefined) => (cell ?? '').split(',').flatMap((name) => name.trim() || [])
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| `src/'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return new Map(
    rows.flatMap(([, parts = '', , may, faces]) =>
      [...parts.matchAll(/`src\/([\w-]+)(?:\.ts)?`/g)].map(([, part]) => [
        part!,
        { may: names(may).filter((name) => name !== 'nothing'), faces: names(faces) },
      ]),
    ),
  )
}

const DIRECTIONS = readDirections(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'))

const FACE = /(^|[-/])(http|verbs|routes|schema|view|dependencies|engine-server)\.ts$/
/** Faces that turn a request or a command line into a call of a rule, and do nothing else. */
const THIN_FACE = /^src\/((identity|billing)\/(.*[-/])?(http|verbs)\.ts$|operator\/)/

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
    const rule = DIRECTIONS.get(part)
    if (isTest(file.path) || rule?.may.includes('everything')) continue
    if (!rule) {
      wrong.push(`${file.path}: src/${part} is not in the table of directions`)
      continue
    }
    const allowed = [...rule.may, ...(FACE.test(file.path) ? rule.faces : [])]
    for (const target of importsOf(file)) {
      const to = partOf(target)
      const fine = to === part || allowed.some((entry) => entry === to || target === `src/${entry}.ts`)
      if (!fine) wrong.push(`${file.path} imports ${target}`)
    }
  }
  return wrong
}

const SQL = /\.query[(<]|[`'"]\s*(select\s[^`'"]*\sfrom\s|insert into\s|update \w+ set\s|delete from\s)/i

function impure(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, text }) => {
      const found: string[] = []
      if (path !== 'src/config.ts' && /process\.env/.test(text)) found.push(`${path} reads the environment`)
      if (/^src\/(risk\/(look-up|signals|model|weights)|billing\/(pricing|ledger)|snapshot)/.test(path)) {
        if (/Date\.now\(|Math\.random\(|randomBytes|new Date\(\)/.test(text))
          found.push(`${path} reads clock or chance`)
      }
      if (
        /^src\/risk\/(look-up|signals|model|combine|weights|score)/.test(path) &&
        /from '(fastify|pg|undici|node:http)'/.test(text)
      ) {
        found.push(`${path} reaches outside`)
      }
      if (/^src\/(billing|identity|risk)\//.test(path) && !FACE.test(path) && /from 'fastify'/.test(text)) {
        found.push(`${path} is logic and knows Fastify`)
      }
      if (THIN_FACE.test(path) && SQL.test(text)) found.push(`${path} is a face and knows SQL`)
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

/** Types count, too: two files that know each other's types cannot be read or changed one at a time. */
function cycles(files: readonly SourceFile[]): string[] {
  return circlesIn(
    new Map(files.filter(({ path }) => !isTest(path)).map((file) => [file.path, new Set(importsOf(file))])),
  )
}

/** Parts of src/ that reach themselves by way of others. */
function roomCycles(files: readonly SourceFile[]): string[] {
  const edges = new Map<string, Set<string>>()
  for (const file of files.filter(({ path }) => !isTest(path))) {
    const from = partOf(file.path)
    const targets = importsOf(file)
      .filter((target) => target.startsWith('src/'))
      .map(partOf)
    edges.set(from, new Set([...(edges.get(from) ?? []), ...targets.filter((to) => to !== from)]))
  }
  return circlesIn(edges)
}

function circlesIn(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
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

/**
 * Statements that would break nodes of the version before: they go on serving while the first new node migrates. Rules that
 * only new rows keep, and columns that old nodes fill in, come one release later.
 */
function notAdditive(migrations: readonly SourceFile[]): string[] {
  return migrations.flatMap(({ path, text }) => {
    const own = new Set([...text.matchAll(/create table (?:if not exists )?(\w+)/g)].map(([, table]) => table))
    const statements = text
      .replace(/--.*$/gm, '')
      .split(';')
      .map((statement) => statement.trim().replace(/\s+/g, ' ').toLowerCase())
    return statements.flatMap((statement) => {
      const table = /^alter table (\w+)|^create unique index \w+ on (\w+)/.exec(statement)
      if (table && own.has(table[1] ?? table[2])) return []
      const breaks =
        /^drop (?!trigger )|\b(drop|rename) (column|constraint|table|to)\b|\balter column\b|\badd constraint\b|^create unique index/.test(
          statement,
        ) || /\badd column\b(?=.*\bnot null\b)(?!.*\bdefault\b)/.test(statement)
      return breaks ? [`${path}: ${statement.slice(0, 80)}`] : []
    })
  })
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
    /`((?:src|test|docs|sdk|reader|cli|console|bench|tools|lab)\/[\w./-]+)`/g,
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
      { path: 'src/http/server.ts', text: "import { x } from '../identity/audit.ts'" },
      { path: 'src/identity/keys/keys.ts', text: "import { x } from '../../verb/context.ts'" },
      { path: 'src/identity/keys/verbs.ts', text: "import { x } from '../../verb/context.ts'" },
      { path: 'src/billing/usage/http.ts', text: "import { x } from '../../http/csv.ts'" },
      { path: 'src/app.ts', text: "import { x } from './billing/http.ts'" },
    ])
    expect(wrong).toHaveLength(5)
  })
})

/** Files outside the laboratory that import it: it measures the product, and the product must run without it. */
function importsOfLab(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    file.path.startsWith('lab/')
      ? []
      : importsOf(file).flatMap((target) => (target.startsWith('lab/') ? [`${file.path} imports ${target}`] : [])),
  )
}

describe('the laboratory', () => {
  it('is imported by nothing outside it', () => {
    const files = FILES.filter((path) => /\.tsx?$/.test(path))
    expect(importsOfLab(files.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })))).toEqual([])
  })
  it('is checked', () => {
    const text = "import { auc } from '../../lab/fit-data.ts'"
    expect(importsOfLab([{ path: 'tools/release/x.ts', text }])).toHaveLength(1)
  })
})

describe('purity', () => {
  it('holds: environment in config alone, no clock or chance in scoring, no Fastify in rules, no SQL in faces', () => {
    expect(impure(SERVER)).toEqual([])
  })
  it('is checked', () => {
    const found = impure([
      { path: 'src/ops/health.ts', text: 'process.env.PORT' },
      { path: 'src/risk/signals/tor.ts', text: 'Date.now()' },
      { path: 'src/billing/pricing.ts', text: "import x from 'fastify'" },
      { path: 'src/identity/keys/http.ts', text: "import x from 'fastify'" },
      { path: 'src/identity/keys/http.ts', text: 'await sql.query<Row>(text)' },
      { path: 'src/billing/usage/usage-verbs.ts', text: 'const rows = `select a from b`' },
      { path: 'src/operator/backup.ts', text: "const rows = 'insert into feed (id)'" },
      { path: 'src/identity/keys/keys.ts', text: 'await sql.query(`select a from b`)' },
    ])
    expect(found).toHaveLength(6)
  })
})

describe('tidiness', () => {
  it('holds', () => expect(untidy(SOURCES)).toEqual([]))
  it('is checked', () => {
    expect(untidy([{ path: 'src/utils/x.ts', text: '// TO' + 'DO' }])).toHaveLength(2)
  })
})

/** Routes of the pages that are registered by hand: each is a second way to forget a session, CSRF or a role. */
function rawPageRoutes(files: readonly SourceFile[]): string[] {
  const raw = /\.(?:get|post|put|patch|delete|all)(?:<[^(]*>)?\(\s*[`'"]\/api\/|\burl: [`'"]\/api\//
  return files.filter(({ path, text }) => !isTest(path) && raw.test(text)).map(({ path }) => path)
}

describe('routes under /api', () => {
  it('are all page operations', () => expect(rawPageRoutes(SERVER)).toEqual([]))
  it('are checked', () => {
    const found = rawPageRoutes([
      { path: 'src/identity/a-http.ts', text: "app.get('/api/thing', async () => {})" },
      { path: 'src/identity/b-http.ts', text: "app.post<Route>(\n  '/api/thing/:id'," },
      { path: 'src/identity/c-http.ts', text: "app.route({ method: 'POST', url: '/api/thing' })" },
      { path: 'src/identity/d-http.ts', text: "pageOperation({ name: 'GET /api/thing' })" },
    ])
    expect(found).toHaveLength(3)
  })
})

describe('migrations since 1.1.0', () => {
  const of = (text: string) => notAdditive([{ path: 'src/db/migrations/0099_x.sql', text }])
  it('only add, so that nodes of two versions serve one database', () => {
    const files = FILES.filter((path) => /^src\/db\/migrations\/\d{4}_/.test(path) && path > 'src/db/migrations/0022')
    expect(files.length).toBeGreaterThan(0)
    expect(notAdditive(files.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })))).toEqual([])
  })
  it('are checked', () => {
    for (const statement of [
      'drop table one',
      'alter table one drop column two',
      'alter table one rename to two',
      'alter table one alter column two type bigint',
      'alter table one add column two text not null',
      'alter table one add constraint two check (three > 0)',
      'create unique index one_by_two on one (two)',
    ]) {
      expect(of(`${statement};`), statement).toHaveLength(1)
    }
    expect(of('create table one (id text not null);\ncreate unique index one_by_id on one (id);')).toEqual([])
    expect(of("alter table one add column two text not null default '';\n-- drop table one;")).toEqual([])
  })
})

describe('circles of imports', () => {
  it('there are none', () => expect(cycles(SOURCES)).toEqual([]))
  it('there are none between the parts of the server', () => expect(roomCycles(SERVER)).toEqual([]))
  it('would be found between parts, also where no two files make one', () => {
    const found = roomCycles([
      { path: 'src/billing/verbs.ts', text: "import { x } from '../operator/context.ts'" },
      { path: 'src/operator/context.ts', text: "import { x } from '../oauth/keys.ts'" },
      { path: 'src/oauth/keys.ts', text: "import { x } from '../identity/clients.ts'" },
      { path: 'src/operator/program.ts', text: "import type { x } from '../billing/plans.ts'" },
    ])
    expect(found).toEqual(['billing → operator → billing'])
  })
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

/** Routes a document names, such as `GET /v1/plans`, that the API does not have. */
function staleRoutes(document: SourceFile, routes: ReadonlySet<string>): string[] {
  const named = document.text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/v1\/[\w/{}-]+(?:\.pdf)?)/g)
  return [...named]
    .map(([, method, path]) => `${method} ${path!.replace(/\/$/, '')}`)
    .filter((route) => !routes.has(route))
    .map((route) => `${document.path}: ${route}`)
}

describe('documents', () => {
  const scripts = Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts)
  const files = new Set(FILES)
  const documents = FILES.filter((path) => path.endsWith('.md') && !path.startsWith('lab/evaluation/')).map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }))

  it('name only scripts and files that exist', () => {
    expect(documents.flatMap((document) => staleWords(document, scripts, files))).toEqual([])
  })
  it('name only routes the API has', () => {
    const routes = new Set(ALL_OPERATIONS.map(({ method, path }) => `${method} ${path}`))
    expect(documents.flatMap((document) => staleRoutes(document, routes))).toEqual([])
    expect(staleRoutes({ path: 'README.md', text: '`GET /v1/none`' }, routes)).toHaveLength(1)
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
