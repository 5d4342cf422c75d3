import { Group, Text, TextInput } from '@mantine/core'
import type { OwnDomain } from '../api/organisation.ts'
import { CODE, CopyButton, Form, useFields } from '../shell/form.tsx'
import { ago, day } from '../shell/format.ts'
import { ConsolePage, MainButton, QuietButton, State, SureButton } from '../shell/page.tsx'
import { TablePanel, twoLines } from '../shell/table.tsx'
import { useAbility, useCall, useList } from '../shell/use-session.ts'

export function Component() {
  const mayManage = useAbility('manage')
  const domains = useList('domains')
  const { values, field, reset } = useFields({ domain: '' })
  const claim = useCall('POST /v1/organisation/domains', reset)
  const verify = useCall('POST /v1/organisation/domains/{domain}/verify')
  const remove = useCall('DELETE /v1/organisation/domains/{domain}')
  const domain = values.domain.trim()
  return (
    <ConsolePage of="domains">
      <TablePanel
        title="Domains"
        error={verify.error ?? remove.error}
        failed="Nothing was changed"
        empty="None yet. Add a domain, publish its TXT record, and verify it."
        rows={domains}
        columns={{
          Domain: [({ domain: name }) => name, 'name'],
          State: (one) =>
            twoLines(<State name={one.state === 'verified' ? 'active' : 'open'}>{one.state}</State>, stateWords(one)),
          'TXT record': ({ record }) => (
            <Group gap="xs">
              <Text component="span" className="mono breakable">
                {record.value}
              </Text>
              <CopyButton value={record.value} label={`TXT record of ${record.name}`} size="xs" />
            </Group>
          ),
          Change: ({ domain }) =>
            mayManage ? (
              <Group gap="xs" wrap="nowrap">
                <QuietButton size="xs" of={verify} input={{ path: { domain } }} label="Verify" />
                <SureButton label="Remove" of={remove} input={{ path: { domain } }} />
              </Group>
            ) : null,
        }}
      >
        {mayManage ? (
          <Form
            label="Add a domain"
            row
            error={claim.error}
            failed="The domain was not added"
            onSubmit={() => domain !== '' && claim.submit({ body: { domain } })}
          >
            <TextInput label="Domain" placeholder="company.com" {...CODE} maxLength={253} {...field('domain')} />
            <MainButton type="submit" loading={claim.busy} disabled={domain === ''} label="Add" />
          </Form>
        ) : null}
      </TablePanel>
    </ConsolePage>
  )
}

function stateWords({ finding, verified_at: at, verified_by: by, checked_at: checked }: OwnDomain): string {
  if (finding !== null) return `${finding}${checked === null ? '' : ` (${ago(checked)})`}`
  if (at === null) return 'Publish the record, then verify.'
  return `since ${day(at)}${by === 'operator' ? ', by the operator of the server' : ''}`
}
