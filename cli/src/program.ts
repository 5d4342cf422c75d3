import { readFileSync } from 'node:fs'
import { KINDS } from '@assay/sdk/tables'
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { Answer, AnswerOptions } from './answer.ts'
import { type Context, interruptionBehind } from './context.ts'
import { FAIL_ON } from './outcome.ts'

/** The verbs of `assay`. The code of each verb is loaded when it is called: the start must stay fast. */

const repeated = (text: string, before: string[] = []) => [...before, text]

const EXIT_CODES = `
Exit codes:
  0    all low
  10   some medium, or nothing to check about them
  20   some high
  1    something could not be checked, or an error
  130  stopped with Ctrl-C
  141  stopped because the output was closed, as in: assay … | head
  --fail-on high: medium counts as low; --fail-on never: high does, too`

const ENVIRONMENT = `
Credentials, the first that is set:
  ASSAY_API_KEY
  ASSAY_CLIENT_ID and ASSAY_CLIENT_SECRET
  the login made with: assay login

Also: ASSAY_URL (address of the service), NO_COLOR, XDG_CONFIG_HOME`

/** Runs one command line; resolves with its exit code. With --json the error is one line of JSON. */
export async function runAssay(args: readonly string[], context: Context): Promise<number> {
  const json = args.includes('--json')
  let exitCode = 0
  const program = buildProgram(
    context,
    (code) => {
      exitCode = code
    },
    json ? () => {} : (text) => void context.stderr.write(text),
  )
  const end = (code: string, message: string, prefix = '') =>
    context.stderr.write(`${json ? JSON.stringify({ error: { code, message } }) : `${prefix}${message}`}\n`)
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) {
      if (json && error.exitCode !== 0) end('usage', error.message.replace(/^error: /, ''))
      return error.exitCode
    }
    const interruption = interruptionBehind(error, context)
    if (interruption) {
      end('stopped', interruption.message)
      return interruption.exitCode
    }
    const { explainFailure } = await import('./client.ts')
    const failure = explainFailure(error, context)
    const { code } = (failure.cause ?? {}) as { readonly code?: unknown }
    end(typeof code === 'string' ? code : 'failed', failure.message, 'assay: ')
    return failure.exitCode
  }
}

const account = () => import('./account/account.ts')
const keyVerbs = () => import('./keys/keys.ts')
const counterpartyVerbs = () => import('./counterparties/counterparties.ts')
const checkVerbs = () => import('./checks/checks.ts')
const listVerbs = () => import('./own/lists.ts')
const decisionVerbs = () => import('./checks/decide.ts')
const ruleVerbs = () => import('./own/rules.ts')
const domainVerbs = () => import('./own/domains.ts')
const eventVerbs = () => import('./events/events.ts')
const settings = () => import('./settings.ts')

export function buildProgram(
  context: Context,
  setExitCode: (code: number) => void,
  writeErr: (text: string) => void,
): Command {
  const program = new Command('assay')
    .description('Risk of an email address, a domain or an IP address, before you decide')
    .version(version(), '-V, --version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr,
      getOutHelpWidth: () => context.stdout.columns,
      getErrHelpWidth: () => context.stderr.columns,
    })
    .showHelpAfterError('(assay --help shows all commands)')
    .addHelpText(
      'after',
      `
Examples:
  assay login
  assay check accounts@paypa1-login.com
  assay bulk suppliers.csv --column domain --out csv > vetted.csv
${EXIT_CODES}
${ENVIRONMENT}`,
    )

  /** Runs a verb with the arguments, the options and the command, and prints its answer. A number is an exit code. */
  const run =
    <Verbs extends object>(load: () => Promise<Verbs>, name: keyof Verbs) =>
    async (...given: unknown[]) => {
      const verbs = (await load()) as Record<keyof Verbs, (context: Context, ...given: unknown[]) => Promise<unknown>>
      const result = (await verbs[name](context, ...given)) as Answer | number | undefined
      if (typeof result === 'number') return setExitCode(result)
      if (!result) return
      const { answerText } = await import('./answer.ts')
      context.stdout.write(answerText(result.value, given.at(-2) as AnswerOptions) ?? `${result.text()}\n`)
      setExitCode(result.exitCode ?? 0)
    }
  const verb = (parent: Command, name: string, about: string) => parent.command(name).description(about)
  const kind = () =>
    new Option('--kind <kind>', 'kind of the indicators; default: recognised automatically').choices(Object.keys(KINDS))
  const failOn = () =>
    new Option('--fail-on <level>', 'lowest level that changes the exit code').choices([...FAIL_ON]).default('medium')
  const json = (command: Command) =>
    command
      .option('--json', 'print JSON for programs')
      .option('--field <name>', 'print one field of it, such as plan or account.credit_pence')

  verb(program, 'login', 'sign in with your browser')
    .option('--no-browser', 'print the link without opening it')
    .option('--no-qr', 'print no QR code')
    .addHelpText('after', '\nExamples:\n  assay login\n  ASSAY_URL=https://assay.example assay login --no-browser')
    .action(run(account, 'login'))

  verb(program, 'logout', 'sign out: revoke and delete the tokens').action(run(account, 'logout'))

  json(verb(program, 'whoami', 'show the credential in use, and the service')).action(run(account, 'whoami'))

  json(verb(program, 'check', 'check one or a few indicators'))
    .argument(
      '<indicator...>',
      'email addresses, domains, IP addresses, a mail (.eml, .msg); - reads standard input: one per line, or a mail',
    )
    .addOption(kind())
    .addOption(failOn())
    .option('--idempotency-key <key>', 'the key of an earlier attempt: returns the same answer, charged once', visible)
    .addHelpText(
      'after',
      `
Examples:
  assay check accounts@paypa1-login.com
  assay check paypa1-login.com 185.220.101.1 --fail-on high
  assay check paypa1-login.com --json
  assay check paypa1-login.com --field risk_score
  pbpaste | assay check - --field facts.registered.value
  assay check invoice.eml
${EXIT_CODES}`,
    )
    .action(run(() => import('./check/check.ts'), 'check'))

  verb(program, 'bulk', 'check a whole file')
    .argument(
      '<file>',
      'list (CSV, .xlsx, .ods, JSON, PDF, one indicator per line), log or mail; - reads standard input',
    )
    .option('--column <name>', 'column, by its name or its number from 1; may be repeated', repeated)
    .option('--sheet <name>', 'sheet of a workbook, by its name or its number from 1; default: the one with indicators')
    .addOption(kind())
    .option('--out <what>', 'csv or jsonl on standard output, or a file ending in .csv, .jsonl or .xlsx')
    .option('--resume', 'resume an interrupted run, into the same output; nothing is charged twice')
    .option('--yes', 'do not ask for confirmation')
    .option('--explain', 'also write the reasons')
    .option('--checkpoint <file>', 'file for progress; default: beside the input file')
    .option('--batch-size <number>', 'distinct records in a request, at most 10000', wholeNumber(1, 10_000), 10_000)
    .option('--concurrency <number>', 'concurrent requests', wholeNumber(1, 16), 4)
    .addOption(failOn())
    .addHelpText(
      'after',
      `
Examples:
  assay bulk suppliers.csv --column domain --out csv > vetted.csv
  assay bulk suppliers.xlsx --sheet 2 --column website --column email
  assay bulk firewall.log --out results.jsonl --yes
  assay bulk suppliers.csv --resume
  cut -d' ' -f1 access.log | assay bulk - --kind ip --yes --out jsonl
${EXIT_CODES}`,
    )
    .action(run(() => import('./bulk/bulk.ts'), 'bulk'))

  json(verb(program, 'usage', "show plan, credit and this month's usage")).action(
    run(() => import('./usage/usage.ts'), 'usage'),
  )

  const keys = verb(program, 'keys', 'API keys of the organisation')
  json(verb(keys, 'list', 'show the keys')).action(run(keyVerbs, 'listKeys'))
  json(verb(keys, 'create', 'create a key; it is shown only once'))
    .argument('<name>', 'purpose of the key')
    .option('--scope <scopes>', 'scopes, separated by commas; default: the four risk scopes')
    .option('--expires <date>', 'expiry date, such as 2027-01-31')
    .addHelpText('after', '\nExamples:\n  assay keys create "payment gateway" --scope risk:payment')
    .action(run(keyVerbs, 'createKey'))
  json(verb(keys, 'rotate', 'replace a key; the old one stays valid for a while'))
    .argument('<id>', 'id of the key')
    .option('--grace-hours <number>', 'hours the old one stays valid', wholeNumber(0, 24 * 30))
    .action(run(keyVerbs, 'rotateKey'))
  json(verb(keys, 'revoke', 'revoke a key immediately'))
    .argument('<id>', 'id of the key')
    .action(run(keyVerbs, 'revokeKey'))

  const counterparties = verb(program, 'counterparties', 'whom your organisation deals with')
  json(verb(counterparties, 'list', 'show them'))
    .option('--search <words>', 'beginnings of words of a name, a reference, a domain or an address')
    .action(run(counterpartyVerbs, 'listCounterparties'))
  json(verb(counterparties, 'add', 'add one'))
    .argument('<name>', 'its name')
    .option('--reference <number>', 'its number in your books')
    .option('--domain <domain>', 'a domain of its own; may be repeated', repeated)
    .option('--email <address>', 'an address; may be repeated', repeated)
    .option('--network <network>', 'an IP address or network; may be repeated', repeated)
    .option('--account <account>', 'an IBAN, or a UK or US bank and account number; may be repeated', repeated)
    .option('--since <day>', 'known since this year or day')
    .option('--note <text>', 'a note for your colleagues')
    .addHelpText('after', '\nExamples:\n  assay counterparties add "Acme Ltd" --reference 4711 --domain acme.example')
    .action(run(counterpartyVerbs, 'addCounterparty'))
  json(verb(counterparties, 'import', 'import a vendor master; shows the differences, and applies them with --yes'))
    .argument('<file>', 'CSV or workbook (.xlsx)')
    .option('--sheet <name>', 'sheet of a workbook, by its name or its number from 1')
    .option('--column <role=title>', 'a column that was not guessed, such as name=Vendor; may be repeated', repeated)
    .addOption(
      new Option('--gone <what>', 'known counterparties that are not in the file')
        .choices(['keep', 'former', 'delete'])
        .default('keep'),
    )
    .option('--skip-invalid', 'leave out rows that are not valid')
    .option('--yes', 'apply it')
    .addHelpText(
      'after',
      '\nExamples:\n  assay counterparties import vendors.csv\n  assay counterparties import vendors.xlsx --column name=Kreditor --gone former --yes',
    )
    .action(run(counterpartyVerbs, 'importCounterparties'))
  json(verb(counterparties, 'export', 'write all of them as CSV, in the form of the last import'))
    .argument('[file]', 'default: standard output')
    .action(run(counterpartyVerbs, 'exportCounterparties'))
  json(verb(counterparties, 'undo', 'undo the last import'))
    .option('--discard-changes', 'also lose changes that were made after it')
    .action(run(counterpartyVerbs, 'undoImport'))

  json(verb(program, 'compare', 'compare a bank account with those of a counterparty; free of charge'))
    .argument('<who>', 'the email address or domain that the account came from')
    .argument('<account>', 'an IBAN, or a UK or US bank and account number, in quotation marks')
    .addHelpText(
      'after',
      `
Examples:
  assay compare accounts@acme.example "DE89 3704 0044 0532 0130 00"
  assay compare acme.example "20-00-00 55779911"

Exit codes:
  0    matches an account on record
  10   unknown: no such counterparty, or none of its accounts is on record
  20   differs from the accounts on record
  1    an error`,
    )
    .action(run(counterpartyVerbs, 'compare'))

  const checks = verb(program, 'checks', 'checks on record')
  const found = (name: string, about: string) =>
    json(verb(checks, name, about))
      .option('--indicator <text>', 'checks of this email address, domain or IP address')
      .addOption(new Option('--risk <level>', 'only these').choices(['low', 'medium', 'high']))
      .option('--from <date>', 'asked on this day or later, such as 2026-03-01')
      .option('--to <date>', 'asked before this day')
      .option('--asked-by <id>', 'id of a person, key or application; me')
      .option('--request <id>', 'the request, as in the ledger')
  found('list', 'show the last checks, at most 200').action(run(checkVerbs, 'listChecks'))
  json(verb(checks, 'show', 'show a check with its answer'))
    .argument('<id>', 'id of the check')
    .action(run(checkVerbs, 'showCheck'))
  found('export', 'write all checks as CSV or as a workbook')
    .argument('[file]', 'ending in .csv or .xlsx; default: CSV on standard output')
    .addHelpText('after', '\nExamples:\n  assay checks export march.xlsx --from 2026-03-01 --to 2026-04-01')
    .action(run(checkVerbs, 'exportChecks'))
  const aboutCheck = (name: string, about: string) => verb(checks, name, about).argument('<id>', 'id of the check')
  json(aboutCheck('decide', 'decide about a check'))
    .addArgument(new Argument('<decision>').choices(['approved', 'stopped', 'false_alarm', 'review']))
    .option('--note <text>', 'how it was verified')
    .option('--step <text>', 'a step that was taken; may be repeated', repeated)
    .addHelpText('after', '\nExamples:\n  assay checks decide chk_Xk29fPq0LmZt approved --note "Called Jane at Acme"')
    .action(run(decisionVerbs, 'decideCheck'))
  json(aboutCheck('review', 'put a check on the work list'))
    .option('--assign <person>', 'id of the member who reviews it')
    .action(run(decisionVerbs, 'reviewCheck'))
  json(verb(checks, 'reviews', 'count the open reviews')).action(run(decisionVerbs, 'countReviews'))
  json(aboutCheck('feedback', 'report an answer as wrong'))
    .addArgument(new Argument('<wrong>').choices(['too_high', 'too_low']))
    .requiredOption('--reason <text>', 'why it is wrong')
    .addOption(new Option('--list <list>', 'also add it to this own list').choices(['allow', 'block', 'review']))
    .action(run(decisionVerbs, 'giveFeedback'))
  for (const [form, about] of [
    ['receipt', 'save the signed receipt'],
    ['evidence', 'save the evidence as PDF, with the receipt'],
  ] as const) {
    aboutCheck(form, about)
      .argument('[file]', 'default: a file named after the check')
      .action(run(decisionVerbs, 'saveProof'))
  }

  json(verb(program, 'verify', 'verify the receipt of a check; needs no account'))
    .argument('<file>', 'the receipt; - reads standard input')
    .option('--keys <file>', 'saved keys of the service, to verify without asking it')
    .option('--indicator <text>', 'also find out if the receipt is about this indicator')
    .addHelpText(
      'after',
      `
Examples:
  assay verify receipt.jws
  assay verify receipt.jws --keys receipt-keys.json --indicator accounts@acme.example

Exit codes:
  0    genuine
  20   not genuine, or about another indicator
  1    an error`,
    )
    .action(run(() => import('./verify/verify.ts'), 'verify'))

  const lists = verb(program, 'lists', 'own lists of the organisation: allow, block, review')
  const onList = (name: string, about: string) =>
    verb(lists, name, about).addArgument(new Argument('<list>').choices(['allow', 'block', 'review']))
  json(onList('list', 'show the entries of a list'))
    .option('--search <text>', 'part of the indicator or the reason')
    .addOption(new Option('--state <state>', 'only these').choices(['active', 'pending', 'expired']))
    .action(run(listVerbs, 'listEntries'))
  json(onList('add', 'add an entry'))
    .argument('<indicator>', 'address, domain with everything below it, IP address or network')
    .option('--reason <text>', 'why it is on the list')
    .option('--expires <date>', 'expiry date, such as 2027-01-31')
    .addHelpText('after', '\nExamples:\n  assay lists add block acme-invoices.example --reason "Forged invoice"')
    .action(run(listVerbs, 'addEntry'))
  json(onList('change', 'change the reason or the expiry of an entry'))
    .argument('<id>', 'id of the entry')
    .option('--reason <text>', 'why it is on the list; "" for none')
    .option('--expires <date>', 'last day, such as 2027-01-31, or never')
    .action(run(listVerbs, 'changeEntry'))
  json(onList('remove', 'remove an entry')).argument('<id>', 'id of the entry').action(run(listVerbs, 'removeEntry'))
  json(onList('import', 'add or change all entries of a file, or none'))
    .argument(
      '<file>',
      'CSV or workbook (.xlsx) with the columns indicator, reason, expires_at; - reads standard input',
    )
    .action(run(listVerbs, 'importEntries'))
  onList('export', 'print a list as CSV').action(run(listVerbs, 'exportEntries'))

  const rules = verb(program, 'rules', 'decision rules of the organisation')
  json(verb(rules, 'show', 'show the rules in their order'))
    .argument('[version]', 'an earlier version, by its number', wholeNumber(1, 999_999_999))
    .action(run(ruleVerbs, 'showRules'))
  json(verb(rules, 'set', 'replace the rules'))
    .argument('<file>', 'JSON array of rules, or the output of: assay rules show --json')
    .action(run(ruleVerbs, 'setRules'))
  json(verb(rules, 'try', 'try rules on the last checks on record; changes nothing'))
    .argument('<file>', 'JSON array of rules')
    .action(run(ruleVerbs, 'tryRules'))
  json(verb(rules, 'versions', 'show the versions, newest first')).action(run(ruleVerbs, 'listVersions'))

  const domains = verb(program, 'domains', 'domains that the organisation proves to be its own')
  json(verb(domains, 'list', 'show the domains')).action(run(domainVerbs, 'listDomains'))
  json(verb(domains, 'add', 'claim a domain; prints the DNS record that proves it'))
    .argument('<domain>')
    .action(run(domainVerbs, 'addDomain'))
  json(verb(domains, 'verify', 'look up the record; exit code 1 while it is not there'))
    .argument('<domain>')
    .action(run(domainVerbs, 'verifyDomain'))
  json(verb(domains, 'remove', 'remove a domain'))
    .argument('<domain>')
    .action(run(domainVerbs, 'removeDomain'))

  json(verb(program, 'events', 'show events of the organisation, oldest first'))
    .option('--after <id>', 'continue after this event')
    .action(run(eventVerbs, 'listEvents'))

  const webhooks = verb(program, 'webhooks', 'addresses that get events as they happen')
  json(verb(webhooks, 'list', 'show the webhooks')).action(run(eventVerbs, 'listWebhooks'))
  json(verb(webhooks, 'add', 'add a webhook; its secret is shown only once'))
    .argument('<url>', 'https address')
    .option('--events <types>', 'types of events, separated by commas; default: all')
    .option('--description <text>', 'a note for people')
    .addHelpText(
      'after',
      '\nExamples:\n  assay webhooks add https://hooks.example/assay --events invoice.paid,key.expiring',
    )
    .action(run(eventVerbs, 'addWebhook'))
  for (const [name, about, code] of [
    ['remove', 'remove a webhook', 'removeWebhook'],
    ['rotate', 'replace the secret; the former one signs too for 24 hours', 'rotateSecret'],
    ['test', 'send a test', 'testWebhook'],
    ['deliveries', 'show the last deliveries', 'listDeliveries'],
  ] as const) {
    json(verb(webhooks, name, about))
      .argument('<webhook>', 'id of the webhook')
      .action(run(eventVerbs, code))
  }
  json(verb(webhooks, 'replay', 'deliver all failed events again'))
    .argument('<webhook>', 'id of the webhook')
    .requiredOption('--since <time>', 'events of this time or later, such as 2026-03-01')
    .action(run(eventVerbs, 'replayFailed'))

  const config = verb(program, 'config', 'settings of this command line')
  json(verb(config, 'list', 'show all settings')).action(run(settings, 'listSettings'))
  verb(config, 'get', 'show one setting').argument('<name>', 'url or client_id').action(run(settings, 'getSetting'))
  verb(config, 'set', 'change a setting')
    .argument('<name>', 'url or client_id')
    .argument('<value>')
    .addHelpText('after', '\nExamples:\n  assay config set url https://assay.example')
    .action(run(settings, 'setSetting'))
  verb(config, 'unset', 'reset a setting to its default')
    .argument('<name>', 'url or client_id')
    .action(run(settings, 'unsetSetting'))

  verb(program, 'completion', 'print a completion script for your shell')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText(
      'after',
      '\nExamples:\n  source <(assay completion bash)\n  assay completion fish > ~/.config/fish/completions/assay.fish',
    )
    .action(run(() => import('./completion/completion.ts'), 'completion'))

  return program
}

const version = () => JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

function visible(text: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(text)) return text
  throw new InvalidArgumentError('It must be 1 to 200 visible characters.')
}

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d{1,9}$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
    }
    return value
  }
}
