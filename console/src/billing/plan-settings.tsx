import { Group, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Details, Plan, Standing } from '../api/organisation.ts'
import { Form, useFields } from '../shell/form.tsx'
import { money } from '../shell/format.ts'
import {
  DescriptionList,
  Figures,
  Loaded,
  Panel,
  problemAt,
  problemBeside,
  Quiet,
  QuietButton,
  Status,
} from '../shell/page.tsx'
import { useCall, useChange, useOrganisation, useRead } from '../shell/use-session.ts'
import { PoundsInput, usePounds } from './pounds.tsx'

export function InvoiceDetails({ mayManage }: { mayManage: boolean }) {
  const details = useRead('GET /v1/billing/details')
  return (
    <Panel title="Details on invoices">
      <Loaded query={details}>{(data) => (mayManage ? <Edit saved={data} /> : <Shown details={data} />)}</Loaded>
    </Panel>
  )
}

function Shown({ details }: { details: Details }) {
  const { name } = useOrganisation()
  return (
    <DescriptionList
      of={{
        Name: <bdi>{details.name ?? name}</bdi>,
        Address: <span style={{ whiteSpace: 'pre-line' }}>{details.address ?? 'None'}</span>,
        'Tax number': details.tax_id ?? 'None',
      }}
    />
  )
}

const orNull = (text: string) => text.trim() || null

function Edit({ saved }: { saved: Details }) {
  const organisation = useOrganisation()
  const { values, field } = useFields({
    name: saved.name ?? '',
    address: saved.address ?? '',
    tax_id: saved.tax_id ?? '',
  })
  const [done, setDone] = useState<typeof values>()
  const { submit, busy, error } = useCall('PUT /v1/billing/details', () => setDone(values))
  return (
    <Form
      label="Details on invoices"
      maw={480}
      error={error?.errors.length === 0 ? error : undefined}
      failed="Nothing was saved"
      onSubmit={() =>
        submit({ body: { name: orNull(values.name), address: orNull(values.address), tax_id: orNull(values.tax_id) } })
      }
    >
      <Quiet>Future and open invoices show these details. Paid invoices do not change.</Quiet>
      <TextInput
        label="Name"
        placeholder={organisation.name}
        autoComplete="organization"
        maxLength={200}
        {...field('name', error)}
      />
      <Textarea
        label="Address"
        autoComplete="street-address"
        autosize
        minRows={3}
        maxRows={8}
        maxLength={1000}
        {...field('address', error)}
      />
      <TextInput label="Tax number" maxLength={64} {...field('tax_id', error)} />
      <Group gap="md">
        <QuietButton type="submit" loading={busy} label="Save the details" />
        <Status>{done === values && !busy ? 'Saved.' : ''}</Status>
      </Group>
    </Form>
  )
}

const amount = (pence: number | null) => (pence === null ? 'None' : money(pence))

export function OverageLimit({ plan, standing, mayManage }: { plan: Plan; standing: Standing; mayManage: boolean }) {
  return (
    <Panel title="Limit beyond the credit">
      {plan.overage_allowed ? (
        <>
          <Figures
            of={{
              Limit: amount(standing.overage_limit_pence),
              'Left of the limit': amount(standing.overage_left_pence),
              [`Limit of ${plan.name}`]: amount(plan.overage_limit_pence ?? null),
            }}
          />
          {mayManage ? <Lower plan={plan} /> : null}
        </>
      ) : (
        <Quiet>{plan.name} stops when the credit is used up: there is no overage.</Quiet>
      )}
    </Panel>
  )
}

function Lower({ plan: { overage_limit_pence: highest } }: { plan: Plan }) {
  const [done, setDone] = useState('')
  const { pence, field } = usePounds()
  const limit = useChange(async (api, overage_limit_pence: number | null) => {
    setDone('')
    await api.call('PUT /v1/billing/overage-limit', { body: { overage_limit_pence } })
    const ownLimit = overage_limit_pence !== null && `Your limit is ${money(overage_limit_pence)}.`
    setDone(ownLimit || 'The limit of the plan applies.')
    field.onChange('')
  })
  return (
    <>
      <Form
        label="Limit beyond the credit"
        row
        error={problemBeside(limit.error, 'overage_limit_pence')}
        failed="The limit was not changed"
        onSubmit={() => pence !== undefined && limit.submit(pence)}
      >
        <PoundsInput
          label="Your limit in pounds"
          description={highest === undefined ? undefined : `At most ${money(highest)}; ask the operator for more.`}
          {...field}
          error={problemAt(limit.error, 'overage_limit_pence')}
        />
        <QuietButton type="submit" loading={limit.busy} disabled={pence === undefined} label="Set the limit" />
        <QuietButton of={limit} input={null} label="Use the limit of the plan" />
      </Form>
      <Status>{done}</Status>
    </>
  )
}
