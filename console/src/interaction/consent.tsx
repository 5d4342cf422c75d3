import { Alert, Anchor, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { BASE_PATH, type Body, leaveTo, server, withCsrf } from '../api/client.ts'
import type { Interaction, OrganisationChoice } from '../api/generated/pages.ts'
import { Facts, MainButton, ProblemNotice } from '../shell/page.tsx'
import { Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { say } from '../shell/words.ts'
import { Asked, type Decision, DecisionButtons, Links, Owner, Person } from './asker.tsx'
import { SignInFor } from './sign-in-for.tsx'

const STATE_WORDS = {
  active: undefined,
  inactive: 'Its account does not run: checks are refused until it is paid for or approved.',
  disabled: 'Disabled by the operator: it cannot be chosen.',
} as const

export function ConsentForm({ uid, interaction }: { uid: string; interaction: Interaction }) {
  const { csrf, client, user, asked, organisations } = interaction
  const [another, setAnother] = useState(false)
  const choosable = organisations.filter((organisation) => organisation.state !== 'disabled')
  // With several organisations none is preselected: the choice decides who pays.
  const [chosen, setChosen] = useState(choosable.length === 1 ? choosable[0]?.id : undefined)
  const [unchosen, setUnchosen] = useState(false)
  // Only these scopes cost money, but every consent belongs to an organisation.
  const charged = asked.charged.length > 0
  const organisation = choosable.find(({ id }) => id === chosen)
  const mayAllow = choosable.length > 0
  const { submit, busy, error } = useSubmit(async (body: Body<'POST /api/interaction/{uid}/consent'>) => {
    const decide = 'POST /api/interaction/{uid}/consent'
    await leaveTo((await server.call(decide, { path: { uid }, body, ...withCsrf(csrf) })).redirect_to)
  })

  function answer(next: Decision): void {
    if (next === 'allow' && chosen === undefined) {
      setUnchosen(true)
      document.querySelector<HTMLInputElement>('input[name="organisation"]:not(:disabled)')?.focus()
      return
    }
    if (next === 'deny') submit({ decision: 'deny' })
    else submit(chosen === undefined ? { decision: 'allow' } : { decision: 'allow', organisation_id: chosen })
  }

  if (another) return <SignInFor uid={uid} interaction={interaction} back={() => setAnother(false)} />
  return (
    <Sheet
      title={say`Allow ${client.name}?`}
      lead={
        <>
          <Owner client={client} />. It asks for access to Assay in your name, and would be able to:
        </>
      }
    >
      <Asked asked={asked} who={client.name} />
      <OrganisationPicker
        organisations={organisations}
        charged={charged}
        chosen={chosen}
        onChoose={(id) => {
          setChosen(id)
          setUnchosen(false)
        }}
        unchosen={unchosen}
      />
      {organisation && organisation.left_out.length > 0 ? (
        <Alert title="Not everything" role="status">
          Your role {organisation.role} in <bdi>{organisation.name}</bdi> does not allow:{' '}
          {organisation.left_out.map(({ words }) => words).join(', ')}. <bdi>{client.name}</bdi> will not be able to do
          it. Ask an owner if you need another role.
        </Alert>
      ) : null}
      <Facts
        of={{
          'Signed in as': user && (
            <>
              <Person user={user} />
              <br />
              <MainButton
                variant="subtle"
                size="compact-sm"
                px={0}
                onClick={() => setAnother(true)}
                disabled={busy}
                label="Use another account"
              />
            </>
          ),
          'Sends you to': interaction.redirect_host,
        }}
      />
      <ProblemNotice error={error} />
      <DecisionButtons allowLabel="Allow" mayAllow={mayAllow} busy={busy} onDecide={answer} />
      <Text size="sm" c="dimmed">
        Allow this only if you know <bdi>{client.name}</bdi> and started this yourself. You can withdraw it at any time:{' '}
        <Anchor href={`${BASE_PATH}/console/account`} target="_blank" inherit>
          Account → Connected applications
        </Anchor>
        .
      </Text>
      <Links client={client} />
    </Sheet>
  )
}

function OrganisationPicker(props: {
  organisations: readonly OrganisationChoice[]
  charged: boolean
  chosen: string | undefined
  onChoose: (id: string) => void
  unchosen: boolean
}) {
  const { organisations, charged, unchosen } = props
  const heading = charged ? 'Organisation to be charged' : 'Organisation'
  const [only] = organisations
  if (only === undefined) {
    return (
      <Alert title="You belong to no organisation">
        {charged ? 'Checks are charged to an organisation.' : 'An application acts for you in an organisation.'} Ask the
        owner of yours to invite you, then start again.
      </Alert>
    )
  }
  if (organisations.length === 1) {
    return (
      <div>
        <Text size="sm" c="dimmed">
          {heading}
        </Text>
        <Text fw={600}>
          <bdi>{only.name}</bdi>
        </Text>
        {STATE_WORDS[only.state] ? <Text size="sm">{STATE_WORDS[only.state]}</Text> : null}
      </div>
    )
  }
  return (
    <Radio.Group
      name="organisation"
      size="md"
      label={heading}
      value={props.chosen ?? null}
      onChange={props.onChoose}
      error={unchosen ? 'Choose the organisation first.' : undefined}
    >
      <Stack gap="xs" mt={6} mb={unchosen ? 6 : 0}>
        {organisations.map((organisation) => (
          <Radio
            key={organisation.id}
            size="md"
            value={organisation.id}
            label={<bdi>{organisation.name}</bdi>}
            description={STATE_WORDS[organisation.state]}
            disabled={organisation.state === 'disabled'}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
