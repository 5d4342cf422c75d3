import './bulk.css'
import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { billingQuery } from '../api/billing.ts'
import { PageLink } from '../shell/buttons.tsx'
import { ConsolePage, Panel } from '../shell/page.tsx'
import { Loading } from '../shell/page-states.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { useAbility, useApi } from '../shell/use-session.ts'
import { Drop, type OpenList } from './drop.tsx'
import { KeptLists } from './kept-lists.tsx'
import { useLists } from './lists.ts'
import { Prepare } from './prepare.tsx'
import { asProblem } from './problem.ts'
import { useOwner } from './use-owner.ts'

export function Component() {
  const owner = useOwner()
  const { runners, problem } = useLists(owner)
  const billing = useQuery(billingQuery(useApi()))
  const mayCheck = useAbility('check')
  const [list, setList] = useState<OpenList>()
  const hasLists = billing.data?.plan.bulk_allowed !== false

  if (problem) return <ProblemNotice error={asProblem(problem)} title="This browser does not let lists be kept" />
  if (!runners) return <Loading />
  return (
    <ConsolePage
      title="Check a list"
      lead="Suppliers, payees or addresses by the thousand. You see what is wrong and what it costs before anything is spent."
    >
      {mayCheck ? null : <Alert>Your role lets you read, not check. Ask an owner or admin for another role.</Alert>}
      {hasLists ? null : (
        <Alert>
          The plan {billing.data?.plan.name} has no lists.{' '}
          <PageLink to="/console/billing">Choose another plan</PageLink>
        </Alert>
      )}
      {list ? (
        <Prepare list={list} owner={owner} back={() => setList(undefined)} />
      ) : (
        <Stack gap="lg">
          <Drop open={setList} disabled={!mayCheck || !hasLists} />
          {runners.length > 0 ? (
            <Panel title="Your lists in this browser">
              <KeptLists runners={runners} />
            </Panel>
          ) : null}
        </Stack>
      )}
    </ConsolePage>
  )
}
