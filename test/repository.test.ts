import { accessSync, constants, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

/** The files that tools around the repository read: none of them complains here when one is wrong. */

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const json = (path: string) => JSON.parse(read(path))

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly uses?: string; readonly run?: string }[] }>
  >
}

interface Form {
  readonly name: string
  readonly description: string
  readonly body: readonly {
    readonly type: string
    readonly id?: string
    readonly attributes: { readonly label?: string; readonly value?: string; readonly options?: readonly string[] }
  }[]
}

describe('the workflow', () => {
  const workflow = parse(read('.github/workflows/ci.yml')) as Workflow
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps)

  it('runs what a person runs', () => {
    expect(steps.at(-1)?.run).toBe('.ci/run')
    accessSync(join(ROOT, '.ci/run'), constants.X_OK)
  })
  it('may read and nothing else', () => expect(workflow.permissions).toEqual({ contents: 'read' }))
  it('names the major version of every action', () => {
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/)
  })
})

describe('the forms for issues', () => {
  const forms = readdirSync(join(ROOT, '.github/ISSUE_TEMPLATE'))
    .filter((name) => name !== 'config.yml')
    .map((name) => parse(read(`.github/ISSUE_TEMPLATE/${name}`)) as Form)

  it('are for a bug, a wrong answer and a feature', () => {
    expect(forms.map(({ name }) => name).sort()).toEqual(['Bug', 'Feature', 'Wrong answer'])
    expect(parse(read('.github/ISSUE_TEMPLATE/config.yml'))).toEqual({ blank_issues_enabled: false })
  })
  it('have a name at every field, once, and choices where there is one', () => {
    for (const { name, description, body } of forms) {
      expect(description, name).not.toBe('')
      const fields = body.filter(({ type }) => type !== 'markdown')
      expect(new Set(fields.map(({ id }) => id)).size, name).toBe(fields.length)
      for (const { type, id, attributes } of fields) {
        expect(['input', 'textarea', 'dropdown'], `${name}: ${id}`).toContain(type)
        expect(attributes.label, `${name}: ${id}`).toBeTruthy()
        if (type === 'dropdown') expect(attributes.options?.length, `${name}: ${id}`).toBeGreaterThan(1)
      }
    }
  })
})

describe('editors', () => {
  const settings = Object.fromEntries(
    [...read('.editorconfig').matchAll(/^(\w+) = (.+)$/gm)].map(([, key, value]) => [key, value]),
  )

  it('indent and break lines as the formatter does', () => {
    const { formatter } = json('biome.json')
    expect(settings.indent_style).toBe(formatter.indentStyle)
    expect(Number(settings.indent_size)).toBe(formatter.indentWidth)
    expect(Number(settings.max_line_length)).toBe(formatter.lineWidth)
  })
  it('format with the formatter', () => {
    expect(json('.vscode/extensions.json').recommendations).toContain(
      json('.vscode/settings.json')['editor.defaultFormatter'],
    )
  })
})

describe('updates of packages', () => {
  const { packageRules } = json('renovate.json') as { packageRules: { matchPackageNames?: string[] }[] }
  const manifest = json('package.json')

  it('name only packages that are used', () => {
    const used = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(packageRules.flatMap((rule) => rule.matchPackageNames ?? []).filter((name) => !used.includes(name))).toEqual(
      [],
    )
  })
})

describe('decisions', () => {
  const folder = 'docs/decisions'
  const names = readdirSync(join(ROOT, folder)).filter((name) => name !== 'README.md')

  it('are numbered without a gap', () => {
    expect(names.map((name) => name.slice(0, 5))).toEqual(names.map((_, at) => `${String(at + 1).padStart(4, '0')}-`))
  })
  it('have a date, what led to them, what else there was, what was decided and what came of it', () => {
    for (const name of names) {
      const text = read(`${folder}/${name}`)
      expect(text, name).toMatch(new RegExp(`^# ${name.slice(0, 4)}: \\S.*\\n\\nDate: \\d{4}-\\d\\d-\\d\\d\\n`))
      const heads = [...text.matchAll(/^## (.+)$/gm)].map(([, head]) => head)
      expect(heads, name).toEqual(['Context', 'Alternatives', 'Decision', 'Consequences'])
    }
  })
  it('are listed with their titles and dates', () => {
    const rows = names.map((name) => {
      const [, number, title, date] = /^# (\d+): (.+)\n\nDate: (.+)\n/.exec(read(`${folder}/${name}`)) ?? []
      return `| ${number} | [${title}](${name}) | ${date} |`
    })
    expect(read(`${folder}/README.md`).trim().split('\n').slice(-rows.length)).toEqual(rows)
  })
})
