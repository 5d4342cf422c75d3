import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import type { OneOrganisation } from '../../api/generated/pages.ts'
import { oneOrganisationQuery } from '../../api/operator.ts'
import { LEDGER_COLUMNS, LedgerRow } from '../../billing/ledger.tsx'
import { money } from '../../shell/money.ts'
import { ConsolePage, Empty, Figure, Loaded, Panel, State, WideTable } from '../../shell/page.tsx'
import { day } from '../../shell/time.ts'
import { useApi } from '../../shell/use-organisation.ts'
import { ActDialog } from './act-dialog.tsx'
import type { Asked } from './acts.ts'
import { Invoices } from './invoices.tsx'
import { People } from './people.tsx'
import { ACTS } from './words.ts'

/** One organisation, as the operator of the server looks after it. */
export function Component() {
  const { id = '' } = useParams()
  const organisation = useQuery(oneOrganisationQuery(useApi(), id))
  return (
    <ConsolePage title={organisation.data ? [{ name: organisation.data.name }] : 'Organisation'} lead={id}>
      <Anchor component={Link} to="/console/organisations" size="sm">
        All organisations
      </Anchor>
      <Loaded query={organisation} heightPx={320}>
        {(data) => <Parts organisation={data} />}
      </Loaded>
    </ConsolePage>
  )
}

function Parts({ organisation }: { organisation: OneOrganisation }) {
  const [asked, ask] = useState<Asked>()
  const [done, setDone] = useState<string>()
  return (
    <>
      <Alert role="status" className="good" hidden={done === undefined}>
        {done}
      </Alert>
      <Account organisation={organisation} ask={ask} />
      <People members={organisation.members} ask={ask} />
      <Invoices invoices={organisation.invoices} ask={ask} />
      <Panel title="End of the ledger">
        {organisation.ledger.length === 0 ? (
          <Empty>No entry yet.</Empty>
        ) : (
          <WideTable label="End of the ledger" columns={LEDGER_COLUMNS}>
            {organisation.ledger.map((entry) => (
              <LedgerRow key={entry.id} entry={entry} />
            ))}
          </WideTable>
        )}
      </Panel>
      <ActDialog
        organisation={organisation}
        asked={asked}
        onClose={() => ask(undefined)}
        onDone={(words) => {
          setDone(words)
          ask(undefined)
        }}
      />
    </>
  )
}

function Account({ organisation, ask }: { organisation: OneOrganisation; ask: (asked: Asked) => void }) {
  const { billing, standing, state } = organisation
  const { subscription } = billing
  return (
    <Panel
      title="Account"
      action={
        <Group gap="xs">
          <Button size="xs" onClick={() => ask({ what: 'credit' })}>
            Give credit
          </Button>
          {organisation.acts.map((word) => (
            <Button key={word} size="xs" variant="default" onClick={() => ask({ what: 'word', word })}>
              {ACTS[word].label}
            </Button>
          ))}
        </Group>
      }
    >
      <Stack gap="md">
        <div>
          <State name={state} />
          {standing.detail === null ? null : <Text size="sm">{standing.detail}</Text>}
        </div>
        <dl className="figures">
          <Figure label="Plan" value={billing.plan.name} />
          <Figure label="Credit" value={money(billing.credit_pence)} />
          <Figure label="Of it, prepaid" value={money(billing.prepaid_credit_pence)} />
          <Figure label="Beyond credit" value={money(billing.overage_owed_pence)} />
          <Figure label="Owed on invoices" value={money(standing.owed_pence)} />
          <Figure label="Subscription" value={subscription?.status.replaceAll('_', ' ') ?? 'by arrangement'} />
          <Figure label="Since" value={day(organisation.created_at)} />
        </dl>
      </Stack>
    </Panel>
  )
}
