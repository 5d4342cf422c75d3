import { DAY_MS, HOUR_MS, MINUTE_MS } from './lib/clock.ts'

/** At most this many attempts in a time window, counted in the database for all nodes together. */
export interface AttemptLimit {
  readonly attemptsMax: number
  readonly windowMs: number
}

type Row = readonly [value: number | AttemptLimit, about: string]

const attempts = (attemptsMax: number, windowMs: number): AttemptLimit => ({ attemptsMax, windowMs })

/**
 * Every limit that a caller can reach: of a request, a rate, a window of attempts, a stored count, a queue.
 * docs/limits.md prints this table. Tuning constants are beside their algorithm; limits set by a plan or the operator
 * are not here.
 */
export const LIMIT_TABLE = {
  requests: {
    bodyBytesMax: [64 * 1024, 'Body of a request'],
    bulkBodyBytesMax: [4 * 1024 * 1024, 'Body of a bulk check'],
    ownImportBytesMax: [512 * 1024, 'Body of an import into an own list'],
    ownImportEntriesMax: [2000, 'Entries of an import into an own list'],
    reasonCharactersMax: [500, 'Reason of an entry of an own list, or of feedback'],
    noteCharactersMax: [2000, 'Note of a decision'],
    decisionStepsMax: [50, 'Ticked steps of a decision'],
    oauthBodyBytesMax: [56 * 1024, 'Body of a request to an OAuth endpoint'],
    // Enough for one secret and all scopes; a longer request is left to the OAuth library.
    serviceTokenBodyBytesMax: [2000, 'Body of a token request that is answered on the short path'],
    // Real clients send one to two kilobytes, with a signed assertion and a sealed state.
    oauthParametersCharactersMax: [8192, 'Parameters that start a sign-in or a device flow, in total'],
    oauthParameterCharactersMax: [4096, 'One of these parameters'],
    recordsMax: [10_000, 'Records of a bulk check'],
    quoteRecordsMax: [10_000_000, 'Records of a quote'],
    errorsNamedMax: [100, 'Invalid fields named in one response'],
    idempotencyKeyCharactersMax: [255, 'An Idempotency-Key'],
    cursorCharactersMax: [1000, 'A cursor'],
    pathParameterCharactersMax: [16_384, 'A parameter in a path'],
    headersSecondsMax: [10, 'Seconds in which the headers of a request must arrive'],
    topUpPenceMax: [100_000_000, 'Prepaid credit in one purchase, in pence'],
    lookUpQuestionsMax: [16, 'DNS questions for one look-up, of which a check makes at most four'],
    passwordCharactersMin: [12, 'A password, at least'],
    passwordCharactersMax: [256, 'A password, at most'],
  },
  rates: {
    // Enough for a page that loads everything at the same time and for a program that reads in a loop.
    resourceRequestsPerSecond: [100, 'Requests of an organisation to billing and organisation resources'],
    // Reading, formatting and sending this much takes about as long as a short answer.
    answerBytesPerRequest: [16 * 1024, 'Part of a long answer that counts as one more request to these resources'],
    // A page asks a few times when it opens; a person who reads needs no more.
    pageRequestsPerSecond: [50, 'Requests of a signed-in person to the pages of the console'],
    // Enough for an office behind one address.
    signInStartsPerSecond: [100, 'Sign-ins and device flows started from one address'],
    // An application that caches its token needs one an hour.
    tokensPerMinuteDefault: [600, 'Tokens of an application if the plan sets no limit'],
    zoneQuestionsPerSecond: [30, 'DNS questions of an organisation about names of one zone, on each node'],
    registryQuestionsPerSecond: [10, 'Questions to one registry, of all organisations in turn, on each node'],
    // An organisation may have hundreds of applications: together they get no more than this, or one at its plan's rate.
    organisationTokensPerSecond: [100, 'Tokens of all applications of an organisation, on each node'],
    // Applications with their own key also sign to introspect, to revoke and to push requests.
    assertionsPerToken: [10, 'Signed assertions of an application, for each allowed token'],
  },
  // A heavy request counts as several, so that a share of requests is also a share of the processor.
  weights: {
    read: [1, 'A check, a read or a change'],
    report: [5, 'A statement, usage of a family or credential or grouped by them, or a part of an import'],
    export: [
      20,
      'The ledger, the audit log, the history or an own list as CSV, or more than 200 of their entries; an import; an erasure',
    ],
    document: [20, 'An invoice or the evidence of a check as PDF, or a trial of decision rules'],
    token: [1, 'A token'],
  },
  attempts: {
    signInsPerAccountAndAddress: [attempts(10, 15 * MINUTE_MS), 'Failed sign-ins to an account from one address'],
    signInsPerAddress: [attempts(100, 15 * MINUTE_MS), 'Sign-ins from one address'],
    passkeysPerAddress: [attempts(100, 15 * MINUTE_MS), 'Sign-ins with a passkey from one address'],
    wrongFactorCodes: [
      attempts(5, 15 * MINUTE_MS),
      'Wrong one-time and recovery codes of a person; each known browser counts alone',
    ],
    // 20^8 codes: at this rate one address would need thousands of years to guess a pending one.
    wrongDeviceCodes: [attempts(20, 10 * MINUTE_MS), 'Wrong device codes from one address'],
    newcomersPerInvitation: [
      attempts(10, DAY_MS),
      'Attempts to accept one invitation without a session or a mailed link',
    ],
    invitationLooks: [attempts(60, 15 * MINUTE_MS), 'Invitations looked up from one address'],
    invitationAsks: [attempts(3, 90 * DAY_MS), 'Requests for a new invitation by the addressee of one that has ended'],
    mailedLinkLooks: [attempts(60, 15 * MINUTE_MS), 'Mailed links opened from one address'],
    passwordResets: [attempts(20, 15 * MINUTE_MS), 'Password resets requested from one address'],
    signUpsPerAddress: [attempts(20, HOUR_MS), 'Sign-ups from one address'],
    // Sign-ups are stored permanently: an attacker with many addresses must not fill the disk.
    signUps: [attempts(5000, HOUR_MS), 'Sign-ups from all addresses together'],
    freeTries: [attempts(1000, DAY_MS), 'Free checks on the front page from all addresses together'],
    signUpMails: [attempts(10, DAY_MS), 'Mails to confirm one sign-up, sent again or to another address'],
    checkoutLooks: [attempts(600, HOUR_MS), 'Checkout status requests from one address'],
    invoicesMade: [attempts(100, DAY_MS), 'Invoices that an organisation makes by top-ups and changes of plan'],
  },
  // Each leaves rows that stay: a loop that creates and ends things must not fill the disk.
  daily: {
    invitations: [attempts(200, DAY_MS), 'Invitations created by an organisation'],
    keys: [attempts(1000, DAY_MS), 'API keys created or replaced by an organisation'],
    applications: [attempts(200, DAY_MS), 'Applications registered by an organisation'],
    entries: [
      attempts(20_000, DAY_MS),
      'Entries of own lists that an organisation adds or changes, imports counted once',
    ],
    webhooks: [attempts(200, DAY_MS), 'Webhooks created by an organisation'],
    tests: [attempts(1000, DAY_MS), 'Tests sent to webhooks by an organisation'],
    counterparties: [attempts(200_000, DAY_MS), 'Counterparties created by an organisation, other than by imports'],
  },
  counts: {
    keysWorkingMax: [500, 'Valid API keys of an organisation at the same time'],
    graceHoursMax: [24 * 90, 'Hours that a replaced key or secret may stay valid'],
    graceHoursDefault: [24, 'Default of the line above'],
    clientsMax: [500, 'Applications of an organisation'],
    redirectUrisMax: [20, 'Redirect addresses of an application'],
    clientKeysMax: [10, 'Public keys of an application'],
    secondFactorDaysMax: [366, 'Days from which a required second factor may be announced'],
    invitationsOpenMax: [100, 'Open invitations of an organisation'],
    invitationDaysMax: [30, 'Days that an invitation may stay open'],
    invitationDaysDefault: [7, 'Default of the line above'],
    ownEntriesMax: [10_000, 'Entries of the own lists of an organisation, together'],
    historyDaysMax: [3650, 'Days for which an organisation may keep its checks'],
    trialChecksMax: [1000, 'Checks on record that decision rules are tried on'],
    decisionRulesMax: [100, 'Decision rules of an organisation'],
    decisionVersionsMax: [100, 'Versions of the decision rules that are kept; beyond it the oldest is deleted'],
    ownDomainsMax: [100, 'Domains that an organisation claims as its own'],
    unconfirmedChecksMax: [100, 'Free checks a month of an organisation whose sign-up nobody has confirmed by mail'],
    alertsMax: [20, 'Alerts of an organisation'],
    webhooksMax: [20, 'Webhooks of an organisation'],
    replayedMax: [1000, 'Deliveries that one request replays'],
    topUpsOpenMax: [100, 'Unpaid top-ups of an organisation'],
    billingContactsMax: [50, 'People of an organisation who get mail about invoices'],
    // A script that signs in repeatedly ends its own oldest sessions.
    sessionsMax: [100, 'Sessions of a person; beyond it the oldest ends'],
    devicesMax: [20, 'Remembered browsers of a person'],
    passkeysMax: [20, 'Passkeys of a person'],
    counterpartiesMax: [200_000, 'Counterparties of an organisation'],
    // 200,000 with 800 bytes each. Search and undo keep as much again.
    counterpartyBytesMax: [
      160 * 1024 * 1024,
      'Bytes of all counterparties of an organisation: their texts, and 64 for each domain, address, network and account',
    ],
    counterpartyDomainsMax: [30, 'Domains of a counterparty'],
    counterpartyEmailsMax: [50, 'Email addresses of a counterparty'],
    counterpartyNetworksMax: [30, 'IP addresses and networks of a counterparty'],
    counterpartyAccountsMax: [20, 'Bank accounts of a counterparty'],
    counterpartyReferenceCharactersMax: [100, 'Reference of a counterparty, in characters'],
    counterpartyNoteCharactersMax: [500, 'Note of a counterparty, in characters'],
    importRowsMax: [250, 'Rows of a file of counterparties in one request'],
    // Each is some rows of an index, which others wait for.
    importValuesMax: [5000, 'Domains, addresses, networks and accounts written by one such request'],
    importRemarksMax: [1000, 'Rows of an import whose remarks are kept'],
    importUndoDays: [30, 'Days in which the last import of counterparties can be undone'],
    plansMax: [1000, 'Plans in plans.json'],
    // A register of 1,000 counterparties takes some 360 KB, one of 100,000 some 38 MB. What is not in memory is compiled
    // again at the next check.
    ownIndexBytesMax: [
      256 * 1024 * 1024,
      'Memory for what organisations know, compiled for their checks, on each node',
    ],
    // Anybody can start one; a window takes some 150 bytes until the purge deletes it.
    attemptWindowsMax: [100_000, 'Attempt windows counted at the same time'],
  },
  pages: {
    rowsMax: [200, 'Rows on a page of a list'],
    rowsDefault: [50, 'Default of the line above'],
    usageRowsMax: [1000, 'Rows on a page of usage'],
    logRowsMax: [1000, 'Entries on a page of the ledger or the audit log'],
    logRowsDefault: [100, 'Entries or rows of usage on a page, by default'],
    csvRowsMax: [10_000, 'Entries in one CSV file'],
    // Ends a file or page early: a stored entry may be a thousand times as long as usual.
    csvBytesMax: [4 * 1024 * 1024, 'Length of a CSV file; it may be longer by the entries that were read together'],
    pageBytesMax: [256 * 1024, 'Length of a page of a list; it ends with the 25 rows that reach it'],
  },
  queues: {
    // Enough for an office, and for a program with hundreds of requests at the same time.
    addressConnectionsMax: [
      500,
      'Connections from one address (IPv6: its /64), on each node; behind a trusted proxy: its requests in progress',
    ],
    connectionsMax: [
      10_000,
      'Connections from all addresses, on each node; fewer if the system allows fewer open files',
    ],
    addressRowsMax: [200, 'Pending sign-ins and device flows from one address'],
    siteRowsMax: [1000, 'Pending sign-ins and device flows from one IPv6 /48'],
    clientRowsMax: [10_000, 'Pending sign-ins and device flows of one authenticated application'],
    strangersRowsMax: [20_000, 'Pending sign-ins and device flows from all addresses together'],
    newcomersRowsMax: [10_000, 'Reserve beyond that for addresses with few pending ones'],
    passwordsHashedMax: [2, 'Passwords hashed at the same time, on each node'],
    passwordsWaitingMax: [40, 'Passwords waiting to be hashed'],
    changesAtOnceMax: [1, 'Changes of an organisation made at the same time on each node; others wait'],
    readsAtOnceMax: [
      2,
      'Reads of an organisation, or of a person on the pages, made at the same time on each node; others wait',
    ],
    webhookMessagesMax: [10_000, 'Events waiting for one webhook; beyond it the webhook is disabled'],
    // A receiver that hangs holds a place for ten seconds. Those that fail share a part of the places.
    webhookAttemptsMax: [4, 'Deliveries to the webhooks of one organisation at the same time, on each node'],
    webhookAttemptsInAllMax: [64, 'Deliveries to all webhooks at the same time, on each node'],
    webhookFailingAttemptsMax: [16, 'Deliveries at the same time to webhooks whose last delivery failed, on each node'],
    documentsWaitingMax: [10, 'Documents of one kind that an organisation waits for, on each node'],
    documentsWaitingInAllMax: [100, 'Documents that all organisations wait for, on each node'],
    tokensWaitingMax: [10_000, 'Tokens waiting to be written, on each node'],
    chargesWaitingMax: [20_000, 'Charges waiting to be committed, on each node'],
    chargeWaitMsMax: [10_000, 'Milliseconds that a charge may wait for its commit to begin'],
    // A part has 500 records. One organisation may use a quarter of the queue.
    listPartsMin: [400, 'Parts of bulk checks waiting to be scored, at least, on each node'],
    listPartsPerThread: [200, 'Parts of bulk checks waiting to be scored for each engine thread, if that is more'],
    engineRequestsMax: [2000, 'Requests to a separate engine at the same time, from each node'],
    zoneQuestionsBurst: [300, 'DNS questions of an organisation about names of one zone before their rate applies'],
    registryQuestionsAtOnce: [4, 'Questions to one registry at the same time, on each node'],
    registryQuestionsWaiting: [2000, 'Questions waiting for one registry; beyond it the longest queue loses its last'],
  },
} as const satisfies Record<string, Record<string, Row>>

type LimitTable = typeof LIMIT_TABLE

/** How much of its share a request uses. */
export type Weight = keyof LimitTable['weights']

export const LIMITS = Object.fromEntries(
  Object.entries(LIMIT_TABLE).map(([group, rows]) => [
    group,
    Object.fromEntries(Object.entries<Row>(rows).map(([name, [value]]) => [name, value])),
  ]),
) as unknown as {
  readonly [G in keyof LimitTable]: {
    readonly [Name in keyof LimitTable[G]]: LimitTable[G][Name] extends Row ? LimitTable[G][Name][0] : never
  }
}
