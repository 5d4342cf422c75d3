import { Checkbox, Group, NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer } from '../api/client.ts'
import { type DecisionRule, pagesQuery } from '../api/organisation.ts'
import { Dialog, Form, useFields } from '../shell/form.tsx'
import { ago, capitalised, count, counted, moment } from '../shell/format.ts'
import { ConsolePage, Loaded, MainButton, Panel, QuietButton, SureButton } from '../shell/page.tsx'
import { LogPanel, twoLines, WideTable } from '../shell/table.tsx'
import { useAbility, useApi, useChange, useFile } from '../shell/use-session.ts'
import { Outcome } from './outcome.tsx'
import { TrialPanel } from './trial.tsx'
import { CHOICE_NAMES, CHOICES, type Choice, OUTCOMES, whenWords } from './words.ts'

type Rules = readonly DecisionRule[]

export function Component() {
  const api = useApi()
  const mayManage = useAbility('manage')
  const saved = useQuery({
    queryKey: [api.organisationId, 'decision rules'],
    queryFn: ({ signal }) => api.callForVersion('GET /v1/decision-rules', { signal }),
  })
  /** Changed rules that are not saved; undefined while nothing was changed. */
  const [draft, setDraft] = useState<Rules>()
  const save = useChange(async (own, input: { rules: Rules; etag: string }, idempotencyKey) => {
    const headers = { 'if-match': input.etag }
    await own.call('PUT /v1/decision-rules', { body: { rules: [...input.rules] }, headers, idempotencyKey })
    setDraft(undefined)
  })
  const [tried, setTried] = useState<{
    readonly rules: Rules
    readonly trial: Answer<'POST /v1/decision-rules/trial'>
  }>()
  const attempt = useFile(async (own, rules: Rules) => {
    const trial = await own.call('POST /v1/decision-rules/trial', { body: { rules: [...rules] } })
    setTried({ rules, trial })
  })
  return (
    <ConsolePage
      title="Decision rules"
      lead="What your clerks do with an answer. The first rule that matches decides; its name and text are part of the answer."
    >
      <Panel
        title="Rules"
        error={save.error ?? attempt.error}
        failed={save.error ? 'The rules were not saved' : 'The rules were not tried'}
      >
        <Loaded query={saved}>
          {({ data, etag }) => (
            <>
              <RuleTable rules={draft ?? data.rules} {...(mayManage ? { change: setDraft } : {})} />
              {draft ? (
                <Group>
                  <MainButton
                    loading={save.busy}
                    onClick={() => save.submit({ rules: draft, etag: etag ?? '' })}
                    label="Save the rules"
                  />
                  <QuietButton
                    loading={attempt.busy}
                    onClick={() => attempt.submit(draft)}
                    label="Try on kept checks"
                  />
                  <QuietButton onClick={() => setDraft(undefined)} label="Discard the changes" />
                  <Text size="sm">Not saved yet: answers still use version {data.version}.</Text>
                </Group>
              ) : null}
            </>
          )}
        </Loaded>
      </Panel>
      {/* A result belongs to the rules that were tried, not to those of a later change. */}
      {draft && tried?.rules === draft ? <TrialPanel trial={tried.trial} /> : null}
      <Versions {...(mayManage ? { restore: setDraft } : {})} />
    </ConsolePage>
  )
}

const EMPTY: DecisionRule = { name: '', when: {}, outcome: 'review', text: '' }

/** `change` is absent for a person who may only read. */
function RuleTable({ rules, change }: { rules: Rules; change?: (rules: Rules) => void }) {
  /** The place of the rule that is edited; one behind the last for a new rule. */
  const [editing, setEditing] = useState<number>()
  const put = (at: number, ...by: Rules) => change?.(rules.toSpliced(at, 1, ...by))
  const swap = (at: number) => change?.(rules.toSpliced(at, 2, rules[at + 1]!, rules[at]!))
  return (
    <>
      <WideTable
        label="Rules"
        empty="No rules yet: answers carry no decision."
        rows={rules.map((rule, at) => ({ id: `${at} ${rule.name}`, at, ...rule }))}
        columns={{
          Order: [({ at }) => at + 1, 'number'],
          When: ({ when }) => whenWords(when),
          Then: ({ outcome }) => <Outcome of={outcome} />,
          Rule: ({ name, text }) => twoLines(<bdi>{name}</bdi>, <bdi>{text}</bdi>),
          ...(change
            ? {
                Change: ({ at, name }: { at: number; name: string }) => (
                  <Group gap="xs">
                    <QuietButton
                      size="xs"
                      disabled={at === 0}
                      onClick={() => swap(at - 1)}
                      aria-label={`Up: ${name}`}
                      label="↑"
                    />
                    <QuietButton
                      size="xs"
                      disabled={at === rules.length - 1}
                      onClick={() => swap(at)}
                      aria-label={`Down: ${name}`}
                      label="↓"
                    />
                    <QuietButton size="xs" onClick={() => setEditing(at)} label="Edit" />
                    <SureButton label="Delete" onSure={() => put(at)} />
                  </Group>
                ),
              }
            : {}),
        }}
      />
      {change ? (
        <div>
          <QuietButton size="sm" onClick={() => setEditing(rules.length)} label="Add a rule" />
        </div>
      ) : null}
      <Dialog
        about={editing}
        title={(at) => (at < rules.length ? `Rule ${at + 1}` : 'New rule')}
        onClose={() => setEditing(undefined)}
      >
        {(at) => (
          <RuleForm
            rule={rules[at] ?? EMPTY}
            leave={() => setEditing(undefined)}
            done={(rule) => {
              put(at, rule)
              setEditing(undefined)
            }}
          />
        )}
      </Dialog>
    </>
  )
}

function RuleForm(props: { rule: DecisionRule; leave: () => void; done: (rule: DecisionRule) => void }) {
  const { name, when, outcome, text } = props.rule
  const account = when.account_differs === undefined ? '' : String(when.account_differs)
  const { values, field } = useFields({
    name,
    outcome,
    text,
    signals: when.signals?.join(' ') ?? '',
    account,
  } as Record<'name' | 'outcome' | 'text' | 'signals' | 'account', string>)
  const [chosen, setChosen] = useState<Partial<Record<Choice, string[]>>>(() =>
    Object.fromEntries(CHOICE_NAMES.map((choice) => [choice, [...(when[choice] ?? [])]])),
  )
  const isFilled = values.name.trim() !== ''
  function submit(): void {
    if (!isFilled) return
    const signals = values.signals.split(/[\s,]+/).filter((code) => code !== '')
    const choices = CHOICE_NAMES.flatMap((choice) => (chosen[choice]?.length ? [[choice, chosen[choice]]] : []))
    props.done({
      name: values.name.trim(),
      outcome: values.outcome as DecisionRule['outcome'],
      text: values.text.trim(),
      when: {
        ...Object.fromEntries(choices),
        ...(signals.length === 0 ? {} : { signals }),
        ...(values.account === '' ? {} : { account_differs: values.account === 'true' }),
      },
    })
  }
  return (
    <Form label="Rule" onSubmit={submit}>
      <TextInput label="Name" maxLength={100} required data-autofocus {...field('name')} />
      {CHOICE_NAMES.map((choice) => (
        <Checkbox.Group
          key={choice}
          label={CHOICES[choice].title}
          value={chosen[choice] ?? []}
          onChange={(values) => setChosen((now) => ({ ...now, [choice]: values }))}
        >
          <Group gap="0.5rem 1rem" mt={4}>
            {Object.entries(CHOICES[choice].words).map(([value, label]) => (
              <Checkbox key={value} value={value} label={capitalised(label)} />
            ))}
          </Group>
        </Checkbox.Group>
      ))}
      <Text size="sm" c="dimmed">
        Nothing chosen in a line: every answer matches it.
      </Text>
      <TextInput
        label="Signals"
        description="Codes, with blanks between them; one of them is enough."
        placeholder="domain.newly_registered"
        autoCapitalize="none"
        spellCheck={false}
        {...field('signals')}
      />
      <NativeSelect
        label="Bank account"
        data={[
          { value: '', label: 'Whatever it is' },
          { value: 'true', label: 'Differs from those of the counterparty' },
          { value: 'false', label: 'Is one of the counterparty' },
        ]}
        {...field('account')}
      />
      <NativeSelect
        label="Then"
        data={Object.entries(OUTCOMES).map(([value, label]) => ({ value, label }))}
        {...field('outcome')}
      />
      <Textarea label="Text for the clerk" autosize minRows={2} maxLength={500} {...field('text')} />
      <Group justify="flex-end">
        <QuietButton onClick={props.leave} label="Leave it" />
        <MainButton type="submit" disabled={!isFilled} label="Keep the rule" />
      </Group>
    </Form>
  )
}

function Versions({ restore }: { restore?: (rules: Rules) => void }) {
  const api = useApi()
  const versions = useInfiniteQuery({
    ...pagesQuery(api, 'GET /v1/decision-rules/versions', { limit: 20 }),
    select: ({ pages, pageParams }) => ({
      pageParams,
      pages: pages.map(({ data }) => ({ data: data.map((one) => ({ id: String(one.version), ...one })) })),
    }),
  })
  const read = useFile(async (own, version: number) => {
    const path = { version: String(version) }
    restore?.((await own.call('GET /v1/decision-rules/versions/{version}', { path })).rules)
  })
  return (
    <LogPanel
      title="Versions"
      query={versions}
      error={read.error}
      empty="No version has been saved yet."
      columns={{
        Version: [({ version }) => count(version), 'number'],
        Saved: [({ changed_at: at }) => twoLines(<time dateTime={at}>{moment(at)}</time>, ago(at)), 'when'],
        By: ({ changed_by: by }) => <bdi>{by?.name ?? by?.kind.replace('_', ' ')}</bdi>,
        Rules: ({ rules }) => counted(rules, 'rule'),
        ...(restore
          ? {
              Change: ({ version }: { version: number }) => (
                <QuietButton
                  size="xs"
                  loading={read.busy}
                  onClick={() => read.submit(version)}
                  label="Take into the table"
                />
              ),
            }
          : {}),
      }}
    />
  )
}
