import { Alert, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { OneOrganisation } from '../../api/generated/pages.ts'
import { readQuery } from '../../api/organisation.ts'
import { INVOICE_COLUMNS, InvoiceButton } from '../../billing/invoices.tsx'
import { LEDGER_COLUMNS } from '../../billing/ledger.tsx'
import { day, money } from '../../shell/format.ts'
import {
  ConsolePage,
  Figure,
  Figures,
  LinkLine,
  Loaded,
  MainButton,
  Panel,
  QuietButton,
  State,
} from '../../shell/page.tsx'
import { TablePanel } from '../../shell/table.tsx'
import { useApi } from '../../shell/use-session.ts'
import { ActDialog } from './act-dialog.tsx'
import { ACTS, type Asked } from './words.ts'

export function Component() {
  const { id = '' } = useParams()
  const organisation = useQuery(
    readQuery(useApi(), 'GET /api/operator/organisations/{organisation_id}', { path: { organisation_id: id } }),
  )
  return (
    <ConsolePage title={organisation.data ? [{ name: organisation.data.name }] : 'Organisation'} lead={id}>
      <LinkLine to="/console/organisations" label="All organisations" />
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
      <TablePanel
        title="Members"
        empty="Nobody yet. Add somebody with assayd user create."
        rows={organisation.members}
        columns={{
          Name: [({ name }) => name, 'name'],
          'Email address': [({ email }) => email, 'name'],
          Role: ({ role }) => role,
          State: ({ state }) => <State name={state} />,
          Since: [(member) => day(member.joined_at), 'when'],
          Password: (member) => (
            <QuietButton
              size="xs"
              aria-label={`Reset the password of ${member.name}`}
              onClick={() => ask({ what: 'reset', member })}
              label="Reset"
            />
          ),
        }}
      />
      <TablePanel
        title="Invoices"
        empty="No invoice yet."
        rows={organisation.invoices}
        columns={{
          ...INVOICE_COLUMNS,
          Change: (invoice) =>
            invoice.state === 'open' ? (
              <Group gap="xs" wrap="nowrap">
                <InvoiceButton
                  act="Settle"
                  of={invoice}
                  variant="filled"
                  onClick={() => ask({ what: 'settle', invoice })}
                />
                <InvoiceButton act="Take back" of={invoice} onClick={() => ask({ what: 'void', invoice })} />
              </Group>
            ) : null,
        }}
      />
      <TablePanel title="End of the ledger" empty="No entry yet." rows={organisation.ledger} columns={LEDGER_COLUMNS} />
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
          <MainButton size="xs" onClick={() => ask({ what: 'credit' })} label="Give credit" />
          {organisation.acts.map((word) => (
            <QuietButton key={word} size="xs" onClick={() => ask({ what: 'word', word })} label={ACTS[word].label} />
          ))}
        </Group>
      }
    >
      <div>
        <State name={state} />
        {standing.detail === null ? null : <Text size="sm">{standing.detail}</Text>}
      </div>
      <Figures>
        <Figure label="Plan" value={billing.plan.name} />
        <Figure label="Credit" value={money(billing.credit_pence)} />
        <Figure label="Of it, prepaid" value={money(billing.prepaid_credit_pence)} />
        <Figure label="Beyond credit" value={money(billing.overage_owed_pence)} />
        <Figure label="Owed on invoices" value={money(standing.owed_pence)} />
        <Figure label="Subscription" value={subscription?.status.replaceAll('_', ' ') ?? 'by arrangement'} />
        <Figure label="Since" value={day(organisation.created_at)} />
      </Figures>
    </Panel>
  )
}
