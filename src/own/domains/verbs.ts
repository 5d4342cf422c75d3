import type { Command } from 'commander'
import { operatorIn } from '../../access/actor.ts'
import type { VerbContext } from '../../verb/context.ts'
import { withStore } from '../../verb/store.ts'
import { required, verbsOf } from '../../verb/verb.ts'
import { announceOwnChange } from '../version.ts'
import { vouchForDomain } from './domains.ts'
import { domainView } from './view.ts'

/** Added to the verbs of `assayd org`. */
export function registerDomainVerbs(org: Command, context: VerbContext): void {
  verbsOf(org, context, withStore)(
    'verify-domain',
    'confirm that a domain is the organisation’s own, without a DNS record',
    {
      id: required('--org <id>', 'its id'),
      domain: required('--domain <domain>', 'the domain, such as company.com'),
    },
  ).runs(async ({ sql, change }, { id, domain }) => {
    const own = await change((tx) => vouchForDomain(tx, operatorIn(id), domain))
    await announceOwnChange(sql, id)
    return { value: domainView(own), text: `${own.domain} is a domain of ${id} from now on.` }
  })
}
