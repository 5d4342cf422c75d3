import { Alert, Anchor, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { asAssayError, BASE_PATH, type Body, leaveTo, server, withCsrf } from '../api/client.ts'
import type { Credentials, GoOn, Interaction, OrganisationChoice, SecondStep } from '../api/generated/pages.ts'
import { DescriptionList, MainButton, ProblemNotice, QuietButton } from '../shell/page.tsx'
import { Loading, NotLoaded, ProblemPage, Sheet } from '../shell/sheet.tsx'
import { useSubmit } from '../shell/use-session.ts'
import { say, strong } from '../shell/words.ts'
import { SignInSteps } from '../sign-in/steps.tsx'
import { Asked, type Decision, DecisionButtons, Links, Owner, Person } from './asker.tsx'

/** An application asked for access: the server says whether the person must sign in first or decide now. */
export function Component() {
  const { uid = '' } = useParams()
  const interaction = useQuery({
    queryKey: ['interaction', uid],
    queryFn: ({ signal }) => server.call('GET /api/interaction/{uid}', { path: { uid }, signal }),
    // Its csrf value is valid for one visit of the page.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (interaction.isPending) return <Loading />
  if (interaction.isError) {
    const error = asAssayError(interaction.error)
    if (error.status === 404) return <ProblemPage title="This request has ended" error={error} />
    return <NotLoaded query={interaction} />
  }
  const Step = { login: SignInFor, select_account: ChooseAccount, consent: ConsentForm }[interaction.data.kind]
  return <Step uid={uid} interaction={interaction.data} />
}

/** Signs in for an application; without credentials it continues with the browser's session. */
async function login(uid: string, csrf: string, body: Credentials | Record<string, never>): Promise<GoOn | SecondStep> {
  return server.call('POST /api/interaction/{uid}/login', { path: { uid }, body, ...withCsrf(csrf) })
}

async function goOnTo(uid: string, csrf: string): Promise<never> {
  const answer = await login(uid, csrf, {})
  if ('second_factor' in answer) throw new Error('a session was asked for a second factor')
  return leaveTo(answer.redirect_to)
}

/** `back` returns a signed-in person who came here to use another account. */
export function SignInFor({ uid, interaction, back }: { uid: string; interaction: Interaction; back?: () => void }) {
  const { csrf, user } = interaction
  async function onCredentials(credentials: Credentials): Promise<SecondStep> {
    const answer = await login(uid, csrf, credentials)
    return 'second_factor' in answer ? answer : leaveTo(answer.redirect_to)
  }
  return (
    <Sheet
      title={back ? 'Use another account' : 'Sign in'}
      lead={say`To continue to ${strong(interaction.client.name)}. It never sees your password.`}
    >
      {back && user ? (
        <Text size="sm">
          Signing in as somebody else signs <bdi>{user.email}</bdi> out of this browser. Until then nothing changes.
        </Text>
      ) : null}
      <SignInSteps
        emailHint={back ? null : interaction.login_hint}
        onCredentials={onCredentials}
        onSession={() => goOnTo(uid, csrf)}
      />
      {back && user ? (
        <QuietButton size="md" h="auto" mih={42} py={8} onClick={back}>
          <span className="wrapping">
            Back, as <bdi>{user.email}</bdi>
          </span>
        </QuietButton>
      ) : null}
    </Sheet>
  )
}

/** The application asked for a choice of account: the account of this browser, or another. */
export function ChooseAccount({ uid, interaction }: { uid: string; interaction: Interaction }) {
  const { csrf, client, user } = interaction
  const [another, setAnother] = useState(user === null)
  const { submit, busy, error } = useSubmit(() => goOnTo(uid, csrf))
  if (user === null) return <SignInFor uid={uid} interaction={interaction} />
  if (another) return <SignInFor uid={uid} interaction={interaction} back={() => setAnother(false)} />
  return (
    <Sheet title="Choose an account" lead={say`To continue to ${strong(client.name)}.`}>
      <ProblemNotice error={error} />
      <Stack gap="sm">
        <MainButton size="md" h="auto" mih={42} py={8} loading={busy} onClick={() => submit()}>
          <span className="wrapping">
            Continue as <Person user={user} />
          </span>
        </MainButton>
        <QuietButton size="md" onClick={() => setAnother(true)} disabled={busy} label="Another account" />
      </Stack>
    </Sheet>
  )
}

const STATE_WORDS = {
  active: undefined,
  inactive: 'Its account is inactive: checks are refused until it is paid or approved.',
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
          <Owner client={client} />. It requests access to Assay in your name, and could then:
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
      <DescriptionList
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
      <Alert title="You are not a member of an organisation">
        {charged ? 'Checks are charged to an organisation.' : 'An application acts for you in an organisation.'} Ask the
        owner of your organisation to invite you, then start again.
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
