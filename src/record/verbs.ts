import type { Command } from 'commander'
import { operatorIn } from '../access/actor.ts'
import { type VerbContext, VerbError } from '../verb/context.ts'
import { type RingOpener, withStore } from '../verb/store.ts'
import { flag, optional, required, verbsOf } from '../verb/verb.ts'
import { eraseChecks, type ToErase } from './erase.ts'
import { indicatorOf } from './indicator.ts'

export function registerCheckVerbs(program: Command, context: VerbContext, { openRing }: RingOpener): void {
  const add = verbsOf(program.command('checks').description('checks on record'), context, withStore)
  add('erase', 'erase checks of an organisation; the ledger keeps its numbers', {
    org: required('--org <id>', 'organisation'),
    indicator: optional('--indicator <text>', 'checks of this email address, domain or IP address'),
    person: optional('--person <id>', 'checks that this person asked'),
    all: flag('--all', 'every check'),
  }).runs(async (store, { org, ...given }) => {
    const what = toErase(given)
    const done = await eraseChecks({ ...store, ring: await openRing(store) }, operatorIn(org), what)
    const { erased, own_list_entries: listed } = done
    return {
      value: done,
      text: [
        `${erased} ${erased === 1 ? 'check is' : 'checks are'} erased.`,
        ...(listed === 0 ? [] : [`Own lists still name it: ${listed}. See assayd own-list list.`]),
      ],
    }
  })
}

function toErase(
  given: Record<'indicator' | 'person', string | undefined> & { readonly all: boolean | undefined },
): ToErase {
  const { indicator, person, all } = given
  if ([indicator, person, all].filter((one) => one !== undefined).length !== 1) {
    throw new VerbError('Say what to erase: one of --indicator, --person and --all.')
  }
  if (indicator !== undefined) return { by: 'indicator', indicator: indicatorOf(indicator) }
  return person === undefined ? { by: 'all' } : { by: 'person', person }
}
