import type { Command } from 'commander'
import { Check, Errors } from 'typebox/schema'
import { operatorIn } from '../../access/actor.ts'
import { requireOrganisation } from '../../identity/organisation/organisations.ts'
import { isoOrNull } from '../../lib/clock.ts'
import type { DecisionRule } from '../../risk/decide.ts'
import { type VerbContext, VerbError } from '../../verb/context.ts'
import { withStore } from '../../verb/store.ts'
import { readJsonFile, required, verbsOf } from '../../verb/verb.ts'
import { announceOwnChange } from '../version.ts'
import { currentRules, type RulesVersion, saveRules } from './rules.ts'
import { Rules } from './schema.ts'

const ONE = { org: required('--org <id>', 'organisation') }

export function registerDecisionVerbs(program: Command, context: VerbContext): void {
  const group = program.command('decision-rules').description('decision rules of an organisation')
  const add = verbsOf(group, context, withStore)

  add('show', 'show the rules, in a form that `set` reads', ONE).runs(async ({ sql }, { org }) => {
    await requireOrganisation(sql, org)
    const current = await currentRules(sql, org)
    return { value: view(current), text: JSON.stringify(current?.rules ?? [], null, 2) }
  })

  add('set', 'replace the rules by those of a JSON file', {
    ...ONE,
    file: required('--file <file>', 'a JSON array of rules'),
  }).runs(async ({ sql, change }, { org, file }) => {
    const rules = rulesIn(readJsonFile(file, '--file'))
    const saved = await change((tx) => saveRules(tx, operatorIn(org), rules))
    await announceOwnChange(sql, org)
    return {
      value: view(saved),
      text: `Version ${saved.version} with ${saved.rules.length} rules applies from now on.`,
    }
  })
}

function rulesIn(value: unknown): DecisionRule[] {
  if (Check(Rules, value)) return value
  const [first] = Errors(Rules, value)[1]
  throw new VerbError(`--file: ${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}.`)
}

const view = (version: RulesVersion | undefined) => ({
  version: version?.version ?? 0,
  rules: version?.rules ?? [],
  changed_at: isoOrNull(version?.created_at),
})
