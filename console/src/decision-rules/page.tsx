import { KIND_WORDS } from '@assay/reader/kinds'
import { Checkbox, Group, NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../api/client.ts'
import type { DecisionRule } from '../api/organisation.ts'
import { checkPath } from '../history/words.tsx'
import { CODE, Dialog, Form, options, useClose, useFields } from '../shell/form.tsx'
import { ago, capitalised, count, counted, moment } from '../shell/format.ts'
import {
  ConsolePage,
  Level,
  Loaded,
  MainButton,
  PageLink,
  Panel,
  Quiet,
  QuietButton,
  Status,
  SureButton,
} from '../shell/page.tsx'
import { type Columns, LogPanel, twoLines, WideTable } from '../shell/table.tsx'
import { useAbility, useCall, useFile, usePages, useVersion } from '../shell/use-session.ts'
import { CHOICE_NAMES, CHOICES, type Choice, OUTCOMES, Outcome, whenWords } from './words.tsx'

type Rules = readonly DecisionRule[]

export function Component() {
  const mayManage = useAbility('manage')
  const saved = useVersion('GET /v1/decision-rules')
  /** Changed rules that are not saved; undefined while nothing was changed. */
  const [draft, setDraft] = useState<Rules>()
  const save = useCall('PUT /v1/decision-rules', () => setDraft(undefined))
  const [tried, setTried] = useState<{ rules: Rules; trial: Answer<'POST /v1/decision-rules/trial'> }>()
  const attempt = useFile(async (own, rules: Rules) => {
    const trial = await own.call('POST /v1/decision-rules/trial', { body: { rules: [...rules] } })
    setTried({ rules, trial })
  })
  return (
    <ConsolePage of="decision-rules">
      <Panel
        title="Rules"
        error={save.error ?? attempt.error}
        failed={save.error ? 'The rules were not saved' : 'The rules were not tried'}
      >
        <Loaded query={saved}>
          {({ data, etag = '' }) => (
            <>
              <RuleTable rules={draft ?? data.rules} {...(mayManage ? { change: setDraft } : {})} />
              {draft ? (
                <Group>
                  <MainButton
                    of={save}
                    input={{ body: { rules: [...draft] }, headers: { 'if-match': etag } }}
                    label="Save the rules"
                  />
                  <QuietButton of={attempt} input={draft} label="Try on kept checks" />
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
  const move = (word: string, label: string, name: string, at: number) => (
    <QuietButton
      size="xs"
      disabled={at < 0 || at === rules.length - 1}
      onClick={() => swap(at)}
      aria-label={`${word}: ${name}`}
      label={label}
    />
  )
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
          ...(change && {
            Change: ({ at, name }: { at: number; name: string }) => (
              <Group gap="xs">
                {move('Up', '↑', name, at - 1)}
                {move('Down', '↓', name, at)}
                <QuietButton size="xs" onClick={() => setEditing(at)} label="Edit" />
                <SureButton label="Delete" onSure={() => put(at)} />
              </Group>
            ),
          }),
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
        {(at) => <RuleForm rule={rules[at] ?? EMPTY} done={(rule) => put(at, rule)} />}
      </Dialog>
    </>
  )
}

const ACCOUNT_WORDS = { true: 'Differs from those of the counterparty', false: 'Is one of the counterparty' }

function RuleForm(props: { rule: DecisionRule; done: (rule: DecisionRule) => void }) {
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
  function submit() {
    if (!isFilled) return false
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
    return true
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
        {...CODE}
        {...field('signals')}
      />
      <NativeSelect label="Bank account" data={options(ACCOUNT_WORDS, 'Any')} {...field('account')} />
      <NativeSelect label="Then" data={options(OUTCOMES)} {...field('outcome')} />
      <Textarea label="Text for the clerk" autosize minRows={2} maxLength={500} {...field('text')} />
      <Group justify="flex-end">
        <QuietButton onClick={useClose()} label="Leave it" />
        <MainButton type="submit" disabled={!isFilled} label="Keep the rule" />
      </Group>
    </Form>
  )
}

function Versions({ restore }: { restore?: (rules: Rules) => void }) {
  const read = useFile(async (own, version: number) => {
    const path = { version: String(version) }
    restore?.((await own.call('GET /v1/decision-rules/versions/{version}', { path })).rules)
  })
  return (
    <LogPanel
      title="Versions"
      query={usePages('GET /v1/decision-rules/versions', { limit: 20 })}
      error={read.error}
      empty="No version has been saved yet."
      columns={{
        Version: [({ version }) => count(version), 'number'],
        Saved: [({ changed_at: at }) => twoLines(<time dateTime={at}>{moment(at)}</time>, ago(at)), 'when'],
        By: ({ changed_by: by }) => <bdi>{by?.name ?? by?.kind.replace('_', ' ')}</bdi>,
        Rules: ({ rules }) => counted(rules, 'rule'),
        ...(restore && {
          Change: ({ version }: { version: number }) => (
            <QuietButton size="xs" of={read} input={version} label="Take into the table" />
          ),
        }),
      }}
    />
  )
}

type Trial = Answer<'POST /v1/decision-rules/trial'>
type Change = Pick<Trial['by'][number], 'from' | 'to'>

const CHANGE = {
  Before: ({ from }) => (from ? <Outcome of={from} /> : 'No decision'),
  After: ({ to }) => (to ? <Outcome of={to} /> : 'No decision'),
} as const satisfies Columns<Change>

/** The effect of unsaved rules on the last kept checks. */
export function TrialPanel({ trial }: { trial: Trial }) {
  const { tried, would_change, by, examples } = trial
  return (
    <Panel
      title="Tried on kept checks"
      lead="Nothing was changed. Bank accounts are not kept, so a rule about them does not match here."
    >
      <Status>
        {tried === 0
          ? 'No kept check to try the rules on.'
          : `${counted(would_change, 'check')} of the last ${tried} would be decided otherwise.`}
      </Status>
      {would_change === 0 ? null : (
        <>
          <WideTable label="Changes" rows={by} columns={{ ...CHANGE, Checks: [({ count }) => count, 'number'] }} />
          <Quiet>The newest of them:</Quiet>
          <WideTable
            label="The newest of them"
            rows={examples}
            columns={{
              Check: ({ check_id: id, kind, asked_at }) => (
                <PageLink to={checkPath(id)}>
                  {KIND_WORDS[kind].one}, {moment(asked_at)}
                </PageLink>
              ),
              Risk: ({ risk }) => <Level of={risk} />,
              ...CHANGE,
              Rule: ({ rule }) => (rule === null ? 'none matches' : <bdi>{rule}</bdi>),
            }}
          />
        </>
      )}
    </Panel>
  )
}
