import './bulk.css'
import { Alert, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { billingQuery } from '../api/billing.ts'
import { Heading } from '../shell/heading.tsx'
import { Loading } from '../shell/loading.tsx'
import { useAbility, useApi, useOrganisation } from '../shell/use-organisation.ts'
import { useSession } from '../shell/use-session.ts'
import { useRunner } from './current.ts'
import { Drop, type OpenList } from './drop.tsx'
import { Prepare } from './prepare.tsx'
import { Progress } from './progress.tsx'

/** A whole list: what is wrong with it, what it costs, then the answers. */
export function Component() {
  const { user } = useSession()
  const { id } = useOrganisation()
  const owner = `${user.id} ${id}`
  const runner = useRunner(owner)
  const billing = useQuery(billingQuery(useApi()))
  const mayCheck = useAbility('check')
  const [list, setList] = useState<OpenList>()
  const close = useCallback(() => setList(undefined), [])

  if (runner === undefined) return <Loading />
  return (
    <Stack gap="lg" maw={1100}>
      <div>
        <Heading>Check a list</Heading>
        <Text c="dimmed" mt={6}>
          Suppliers, payees or addresses by the thousand. You see what is wrong and what it costs before anything is
          spent.
        </Text>
      </div>
      {mayCheck ? null : <Notice words="Your role lets you read, not check. Ask an owner or admin for another role." />}
      {billing.data && !billing.data.plan.bulk_allowed ? (
        <Notice words={`The plan ${billing.data.plan.name} has no lists. Choose another under Billing.`} />
      ) : null}
      {runner ? (
        <Progress runner={runner} />
      ) : list ? (
        <Prepare list={list} owner={owner} back={close} />
      ) : (
        <Drop open={setList} disabled={!mayCheck || billing.data?.plan.bulk_allowed === false} />
      )}
    </Stack>
  )
}

function Notice({ words }: { words: string }) {
  return (
    <Alert>
      <Text size="sm">{words}</Text>
    </Alert>
  )
}
