// Written by `npm run generate` from src/page-operations.ts. Changes belong there.

/** The account of the person signed in. */
export type Account = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly email_verified: boolean
  readonly sends_mail: boolean
  /** The new address, until it is confirmed. */
  readonly pending_email: string | null
  /** Organisations to hand over, or whose subscription to end, before the account can be deleted. */
  readonly held_up_by: readonly {
    readonly id: string
    readonly name: string
    readonly first: 'hand_over' | 'end'
  }[]
  /** When the account is deleted; null if nobody asked for it. */
  readonly erased_from: string | null
}

export type AnsweredRequest = {
  readonly id: string
  /** When it arrived. */
  readonly at: string
  /** The organisation of the credential, or null. */
  readonly organisation_id: string | null
  readonly called_by: ('api_key' | 'application' | 'person') | null
  /** API key, application or person, or null. */
  readonly credential_id: string | null
  /** The person who acted, also through an application. */
  readonly person_id: string | null
  readonly method: string
  /** Path with the names of its parameters. */
  readonly route: string
  readonly status: number
  /** Problem code of a refusal, or null. */
  readonly code: string | null
  /** Price of a check; null if it charged nothing. */
  readonly price_pence: number | null
  readonly duration_ms: number
}

/** An application that requests access. */
export type Application = {
  readonly id: string
  readonly name: string
  readonly kind: 'service' | 'web' | 'spa' | 'native'
  /** Null: part of this server. */
  readonly owner: {
    readonly name: string
    /** Null before sign-in. */
    readonly yours: boolean | null
  } | null
  readonly policy_uri: string | null
  readonly terms_uri: string | null
}

/** Requested scopes, grouped by their meaning for the person. */
export type AskedFor = {
  readonly charged: readonly ScopeWords[]
  readonly about_you: readonly ScopeWords[]
  /** Days the application stays connected; null: not requested. */
  readonly stays_days: number | null
}

export type Billing = {
  readonly organisation_id: string
  /** State of the account. */
  readonly state: 'active' | 'disabled' | 'inactive'
  readonly plan: Plan
  /** Remaining credit: included and prepaid. */
  readonly credit_pence: number
  /** The part of the credit that expires with the period. */
  readonly included_credit_pence: number
  /** The part of the credit that does not expire. */
  readonly prepaid_credit_pence: number
  /** Overage in this period. */
  readonly overage_pence: number
  /** Overage that is not settled yet, this period included. */
  readonly overage_owed_pence: number
  /** Free records of the plan in a period. */
  readonly free_units: number
  /** Free records used. */
  readonly free_units_used: number
  /** Free records left. */
  readonly free_units_left: number
  readonly period: Period
  /** null if the operator created the organisation without a subscription. */
  readonly subscription: Subscription | null
}

/** Consent of a person to an application in one organisation. */
export type ConnectedApplication = {
  readonly id: string
  readonly created_at: string
  readonly expires_at: string
  readonly last_used_at: string | null
  readonly client: {
    readonly id: string
    readonly name: string
  }
  readonly owner: {
    readonly name: string
    readonly yours: boolean
  } | null
  /** The organisation that is charged. */
  readonly organisation: {
    readonly id: string
    readonly name: string
  }
  readonly scopes: readonly {
    readonly name: string
    readonly words: string
  }[]
}

export type Credentials = {
  readonly email: string
  readonly password: string
}

export type DeviceRequest = {
  readonly user_code: string
  readonly client: Application
  readonly asked: AskedFor
  /** Place, time and program of the request for the code. */
  readonly request: {
    readonly at: string
    readonly program: string
    readonly address: string | null
    readonly place: string | null
  }
}

export type ErasureClaims = {
  readonly iss: string
  readonly aud: string
  readonly iat: number
  readonly jti: string
  /** Id of the organisation or person that was erased. */
  readonly sub: string
  readonly kind: string
  readonly requested_at: string
  readonly erased_at: string
  /** How many rows of which table. */
  readonly erased: Readonly<Record<string, unknown>>
  readonly kept: readonly {
    readonly what: string
    readonly why: string
    readonly until: string | null
  }[]
}

export type Factors = {
  readonly passkeys: readonly Passkey[]
  readonly codes: {
    readonly since: string
  } | null
  readonly recovery_codes: {
    readonly left: number
    readonly made_at: string
  } | null
  /** False if browsers do not support passkeys here: without TLS, or at an address without a host name. */
  readonly passkeys_work: boolean
  /** Names of organisations that require a second factor. */
  readonly required_by: readonly string[]
}

/** Endpoint family. */
export type Family = 'payment-risk' | 'supply-chain-risk' | 'infrastructure-risk'

export type FeedbackRow = {
  readonly id: string
  readonly organisation_id: string
  readonly kind: string
  readonly indicator: string
  readonly label: string
  readonly risk: string
  readonly reason: string
  readonly given_at: string
  readonly score: number
  readonly signals: readonly {
    readonly code: string
    readonly effect: number
  }[]
}

export type GoOn = {
  readonly redirect_to: string
}

export type Inbox = {
  readonly data: readonly InboxEntry[]
  readonly next: string | null
}

export type InboxEntry = {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly summary: string
  readonly about: string | null
  readonly unread: boolean
}

export type Intelligence = {
  readonly version: string | null
  readonly built_at: string | null
  readonly counts: {
    readonly domains: number
    readonly emails: number
    readonly ipv4: number
    readonly ipv6: number
  } | null
  readonly sources: readonly Source[]
}

export type Interaction = {
  readonly kind: 'login' | 'consent' | 'select_account'
  readonly csrf: string
  readonly login_hint: string | null
  readonly redirect_host: string | null
  readonly client: Application
  readonly user: {
    readonly email: string
    readonly name: string
  } | null
  readonly asked: AskedFor
  readonly organisations: readonly OrganisationChoice[]
}

export type Invoice = {
  readonly id: string
  /** Number in the one series of all invoices. It is final when the invoice is sent or paid: one in advance that is cancelled before may give its number to the next invoice, and is then gone. */
  readonly number: number
  readonly kind: 'subscription' | 'top_up'
  readonly state: 'open' | 'paid' | 'void'
  /** True if the plan or credit is given when the invoice is paid. While open it can be cancelled, and never becomes overdue. */
  readonly in_advance: boolean
  /** Amount to pay. */
  readonly total_pence: number
  readonly lines: readonly {
    readonly kind: 'plan' | 'upgrade' | 'overage' | 'top_up'
    readonly month: string
    readonly description: string
    /** Amount. */
    readonly amount_pence: number
  }[]
  /** When it was issued. */
  readonly issued_at: string
  /** When it is due. */
  readonly due_at: string
  /** When it was paid or cancelled. */
  readonly settled_at: string | null
}

export type JobStatus = {
  readonly name: string
  readonly last_run_at: string | null
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
  readonly error: string | null
  readonly node: string | null
  readonly period_seconds: number | null
  readonly last_run_ms: number | null
  readonly state: 'fine' | 'failing' | 'late' | 'new'
}

export type LedgerEntry = {
  readonly id: string
  /** Number of the entry within the organisation, without gaps. */
  readonly number: number
  /** Time of posting. */
  readonly created_at: string
  readonly kind: 'grant' | 'expire' | 'charge' | 'credit' | 'plan' | 'refund' | 'settle' | 'reversal'
  /** The billing period. */
  readonly month: string
  readonly plan: string
  readonly family: Family | null
  readonly units: number
  readonly free_units: number
  readonly unit_price_pence: number
  /** Change of each balance. */
  readonly included_delta_pence: number
  readonly prepaid_delta_pence: number
  readonly overage_delta_pence: number
  /** Included credit afterwards. */
  readonly included_after_pence: number
  /** Prepaid credit afterwards. */
  readonly prepaid_after_pence: number
  /** Overage afterwards. */
  readonly overage_after_pence: number
  readonly credential_id: string | null
  readonly request_id: string | null
  readonly reference: string | null
  readonly detail: string | null
}

export type Member = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly state: 'active' | 'disabled'
  /** When they joined. */
  readonly joined_at: string
  /** True if the member has a passkey or one-time codes. Null unless a signed-in owner asks. */
  readonly second_factor: boolean | null
}

export type Membership = {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly role: Role
  readonly state: 'active' | 'disabled' | 'inactive'
  /** True if the organisation requires a second factor. */
  readonly requires_second_factor: boolean
}

export type NodeStatus = {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly started_at: string
  readonly seen_at: string
  readonly address: string
  readonly runtime: string
  readonly pid: number
  readonly uncertain_charges: number
  readonly memory_bytes: number
  readonly log_lines_dropped: number
  readonly clock_offset_seconds: number
  readonly role: 'server' | 'engine'
  readonly state: 'ready' | 'not_ready' | 'silent'
  readonly parts: readonly {
    readonly part: string
    readonly ready: boolean
  }[]
  readonly snapshot: {
    readonly version: string
    readonly built_at: string
  } | null
  readonly queues: {
    readonly charges: number | null
    readonly engine: number | null
    readonly live: number | null
    readonly store: number
  }
  readonly statements: {
    readonly count: number
    readonly mean_ms: number
    readonly slow_count: number
  }
  readonly replica?: {
    readonly lag_seconds: number | null
  }
}

/** The sign-up rules: who may sign up, the plans, the terms, when and how plans are paid. */
export type Offer = {
  readonly sign_up: 'open' | 'approval' | 'closed'
  readonly plans: readonly string[]
  readonly by_card: boolean
  readonly begins_unpaid: boolean
  /** False while the operator has set up no way to pay: then nothing is sold. */
  readonly sells: boolean
  readonly contact: string | null
  readonly privacy_url: string | null
  /** The terms to accept; null: none. */
  readonly terms: {
    readonly url: string
    readonly version: string
  } | null
  readonly next_month_at: string
  /** Free checks a day on the front page; 0 for none. */
  readonly free_tries: number
}

export type OneOrganisation = {
  readonly id: string
  readonly name: string
  readonly state: 'active' | 'disabled' | 'inactive'
  /** Why checks are not answered; null while they are. */
  readonly state_reason: ('disabled' | 'awaiting_approval' | 'overdue' | 'disputed' | 'deactivated' | 'ended' | 'first_payment') | null
  readonly created_at: string
  /** The actions that are possible now, named like the verbs of `assayd org`. */
  readonly acts: readonly OperatorWord[]
  readonly billing: Billing
  readonly standing: Standing
  readonly members: readonly Member[]
  readonly invoices: readonly Invoice[]
  /** The latest payments with their refunds and disputes. */
  readonly payments: readonly PaymentRow[]
  /** The last entries, newest first. */
  readonly ledger: readonly LedgerEntry[]
}

export type OperatorWord = 'disable' | 'enable' | 'deactivate' | 'activate' | 'approve'

/** Role in the organisation; it may not allow every requested scope. */
export type OrganisationChoice = {
  readonly id: string
  readonly name: string
  readonly state: 'active' | 'disabled' | 'inactive'
  readonly role: Role
  readonly left_out: readonly ScopeWords[]
}

export type OrganisationRow = {
  readonly id: string
  readonly name: string
  readonly state: 'active' | 'disabled' | 'inactive'
  /** Why checks are not answered; null while they are. */
  readonly state_reason: ('disabled' | 'awaiting_approval' | 'overdue' | 'disputed' | 'deactivated' | 'ended' | 'first_payment') | null
  readonly plan: string
  readonly created_at: string
  readonly members: number
  readonly credit_pence: number
  /** Overage that is not settled. */
  readonly overage_pence: number
  /** Sum of open invoices for services already given. */
  readonly owed_pence: number
  /** When everything of it was erased. */
  readonly erased_at: string | null
}

export type OwnSession = {
  readonly id: string
  readonly device: string
  readonly signed_in_at: string
  readonly seen_at: string
  readonly ip: string | null
  readonly place: string | null
  readonly present: boolean
}

export type Passkey = {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly backed_up: boolean
  readonly user_verified: boolean
  readonly used_at: string | null
}

export type PaymentRow = {
  readonly id: string
  readonly reference: string
  readonly currency: string
  readonly received_at: string
  readonly outcome: 'settled' | 'credited' | 'unmatched'
  readonly amount_pence: number
  /** Refunded to the payer. */
  readonly refunded_pence: number
  /** Lost in disputes. */
  readonly lost_pence: number
  readonly disputes: readonly {
    readonly id: string
    readonly state: 'inquiry' | 'inquiry_closed' | 'open' | 'won' | 'lost'
  }[]
}

/** The billing period. */
export type Period = {
  /** Calendar month, UTC: YYYY-MM. */
  readonly month: string
  /** Start of the period. */
  readonly starts_at: string
  /** Start of the next period. */
  readonly ends_at: string
}

export type Plan = {
  /** Name used by operators and in the API */
  readonly id: string
  /** Name shown to people */
  readonly name: string
  /** Price of the plan for one calendar month */
  readonly monthly_price_pence: number
  /** Credit granted every month; the rest expires with the month */
  readonly included_credit_pence: number
  /** Price of one record, by endpoint family */
  readonly unit_price_pence: {
    /** Price of one record of payment-risk */
    readonly 'payment-risk': number
    /** Price of one record of supply-chain-risk */
    readonly 'supply-chain-risk': number
    /** Price of one record of infrastructure-risk */
    readonly 'infrastructure-risk': number
  }
  /** Free records in a month */
  readonly free_units: number
  /** True if requests beyond the credit are answered and invoiced */
  readonly overage_allowed: boolean
  /** Maximum debt beyond the credit before checks are refused; absent: no limit */
  readonly overage_limit_pence?: number
  /** Rate limit of an organisation */
  readonly requests_per_second: number
  /** True if the bulk endpoints may be used */
  readonly bulk_allowed: boolean
  /** Access tokens a minute for each OAuth application, and for each person who uses one; absent: 600 */
  readonly tokens_per_minute?: number
}

export type ReceiptClaims = {
  /** Address of the service that answered. */
  readonly iss: string
  /** Always `iss` with `/receipts`: a receipt is no token for anything else. */
  readonly aud: string
  /** When the receipt was signed, in seconds. */
  readonly iat: number
  /** Id of the check. */
  readonly jti: string
  /** The organisation that asked. */
  readonly sub: string
  /** SHA-256, in hex, of the kind, a colon and the indicator in normal form. */
  readonly question: string
  readonly kind: 'email' | 'domain' | 'ip'
  readonly risk: string
  readonly risk_score: number
  readonly signals: readonly {
    readonly code: string
    readonly effect: number
  }[]
  /** In a QR code with too little room: how many weaker signals it leaves out. */
  readonly signals_left_out?: number
  /** Version of the intelligence. */
  readonly intelligence: string
  readonly price: {
    readonly unit_price_pence: number
    readonly total_price_pence: number
    readonly is_free: boolean
  }
  readonly asked_at: string
  readonly decision?: {
    readonly decision: string
    readonly state: string
    readonly at: string
    readonly by: string
    readonly second_by?: string
  }
}

/** owner: everything, including adding owners; admin: everything except adding owners; developer: checks, reads, creates keys and applications; checker: checks, reads usage and counterparties, creates no keys; viewer: reads. */
export type Role = 'owner' | 'admin' | 'developer' | 'checker' | 'viewer'

export type Sample = {
  readonly kind: 'email' | 'domain' | 'ip'
  readonly risk: 'low' | 'medium' | 'high'
  readonly indicator: string
  readonly family: string
  readonly recommended_action: string
  readonly known: string
  readonly summary: string
  readonly risk_score: number
  readonly signals: readonly {
    readonly code: string
    readonly description: string
    readonly source: string
    readonly effect: number
    readonly first_seen: string | null
    readonly last_seen: string | null
  }[]
}

export type ScopeWords = {
  readonly name: string
  readonly words: string
}

/** The password was right; a second factor is still needed. */
export type SecondStep = {
  readonly second_factor: {
    readonly ways: readonly Way[]
    readonly ticket: string
    /** Options for the passkey request of the browser. */
    readonly passkey: unknown
  }
}

/** The person signed in to the console. */
export type Session = {
  readonly user: {
    readonly id: string
    readonly email: string
    readonly name: string
  }
  readonly organisations: readonly Membership[]
  /** True for operators, who manage every organisation. */
  readonly operator: boolean
  readonly second_factor: {
    readonly ways: readonly Way[]
    readonly given: boolean
  }
  readonly csrf: string
}

export type Settled = {
  readonly invoice: Invoice
  readonly outcome: 'settled' | 'credited' | 'unmatched'
  readonly amount_pence: number
  /** True if it was already settled; nothing changed. */
  readonly repeated: boolean
}

export type Source = {
  readonly id: string
  readonly name: string
  readonly licence: string
  readonly rows: number
  readonly state: 'bundled' | 'fresh' | 'unfetched' | 'failing' | 'held' | 'off'
  readonly as_of: string | null
  readonly last_error: string | null
  readonly last_error_at: string | null
  readonly next_due_at: string | null
}

export type Standing = {
  readonly state: 'active' | 'disabled' | 'inactive'
  /** True while checks are answered. */
  readonly served: boolean
  /** Why checks are not answered; null while they are. */
  readonly reason: ('disabled' | 'awaiting_approval' | 'overdue' | 'disputed' | 'deactivated' | 'ended' | 'first_payment') | null
  /** The reason in words, and what to do. */
  readonly detail: string | null
  /** Sum of open invoices for services already given, due now or later. */
  readonly owed_pence: number
  /** The invoice to pay first: an overdue one, the invoice of a waiting plan, or one whose payment was lost. */
  readonly pay_first: Invoice | null
  /** The plan that begins when its invoice is paid. */
  readonly waiting_plan: string | null
  /** True if the price of this month is paid or invoiced, and no payment was lost in a dispute since. Otherwise a paid plan gives no credit and no overage. */
  readonly month_paid: boolean
  /** Maximum overage; null: no limit. */
  readonly overage_limit_pence: number | null
  /** Rest of the overage limit; null: no limit. */
  readonly overage_left_pence: number | null
}

/** The running service, as `assayd status --json` says it. */
export type Status = {
  readonly at: string
  readonly maintenance: {
    readonly message: string
    readonly since: string
    readonly until: string | null
  } | null
  readonly database: {
    readonly engine: 'sqlite' | 'postgres'
    readonly bytes: number
    readonly migration: string | null
    readonly migrated_at: string | null
  }
  readonly published_snapshot: {
    readonly version: string
    readonly built_at: string
  } | null
  readonly nodes: readonly NodeStatus[]
  readonly jobs: readonly JobStatus[]
  readonly feeds: {
    readonly fresh: number
    readonly unfetched: number
    readonly failing: number
    readonly held: number
    readonly off: number
    readonly troubled: readonly TroubledFeed[]
  }
  readonly mail: {
    readonly set_up: boolean
    readonly waiting: number
    readonly oldest_waiting_at: string | null
    readonly trouble: string | null
    readonly last_failure: {
      readonly kind: string
      readonly at: string | null
      readonly error: string | null
    } | null
  }
  readonly webhooks: {
    readonly waiting: number
    readonly failing: number
    readonly oldest_waiting_at: string | null
  }
  readonly slow_statements: readonly {
    readonly text: string
    readonly count: number
    readonly worst_ms: number
    readonly mean_ms: number
    readonly nodes: number
  }[]
}

/** The subscription. */
export type Subscription = {
  /** pending: it begins when its first invoice is paid. past_due: an invoice is overdue, or a payment disputed. In both the account is inactive. */
  readonly status: 'active' | 'pending' | 'past_due' | 'ended'
  readonly plan: string
  /** Plan from next month on. */
  readonly next_plan: string | null
  /** When the subscription ends, if it was ended with the month. */
  readonly ends_at: string | null
  /** When the subscription began. */
  readonly started_at: string
  /** Since when the subscription is not active. */
  readonly stopped_at: string | null
  /** Payment provider: `invoice` or `stripe`. */
  readonly provider: string
}

export type TroubledFeed = {
  readonly id: string
  readonly name: string
  readonly reason: string
  readonly next_try_at: string
  readonly failures: number
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
  readonly state: 'failing' | 'held'
}

/** A sign-up, or (`invited`) an accepted invitation, before its confirmation. */
export type WaitingSignUp = {
  readonly email: string
  readonly organisation: string
  readonly role: Role
  readonly has_account: boolean
  readonly invited: boolean
}

export type Way = 'passkey' | 'code' | 'recovery_code'

/** Every operation of the interface: what it takes and what it answers with. */
export interface PageOperations {
  'GET /api/sign-up': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: Offer
  }
  'POST /api/sign-up/{checkout_id}/mail': {
    path: {
      readonly checkout_id: string
    }
    query: Record<never, never>
    body: {
      /** The token from the response that started the checkout. */
      readonly claim_token: string
      readonly email?: string
    }
    response: {
      readonly email: string
    }
  }
  'GET /api/samples': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: {
      readonly samples: readonly Sample[]
      readonly intelligence: {
        readonly version: string
        readonly built_at: string
      }
    }
  }
  'POST /api/try': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly kind: 'email' | 'domain' | 'ip'
      readonly indicator: string
    }
    response: Readonly<Record<string, unknown>>
  }
  'POST /api/receipts/verify': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly receipt: string
      readonly indicator?: string
    }
    response: {
      readonly valid: boolean
      readonly reason: string | null
      readonly claims: ReceiptClaims | null
      readonly erasure: ErasureClaims | null
      readonly about_indicator: boolean | null
    }
  }
  'GET /api/session': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: Session
  }
  'POST /api/session': {
    path: Record<never, never>
    query: Record<never, never>
    body: Credentials
    response: Session | SecondStep
  }
  'DELETE /api/session': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  'POST /api/session/second-factor': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly ticket: string
      readonly passkey?: unknown
      readonly code?: string
      readonly recovery_code?: string
    }
    response: Session
  }
  'POST /api/session/passkey/begin': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: {
      readonly ticket: string
      /** Options for the passkey request of the browser. */
      readonly passkey: unknown
    }
  }
  'POST /api/session/passkey': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly ticket: string
      readonly passkey: unknown
    }
    response: Session
  }
  'POST /api/session/prove/begin': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: {
      readonly ways: readonly Way[]
      readonly ticket: string
      /** Options for the passkey request of the browser. */
      readonly passkey: unknown
    }
  }
  'POST /api/session/prove': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly ticket?: string
      readonly password?: string
      readonly passkey?: unknown
      readonly code?: string
      readonly recovery_code?: string
    }
    response: undefined
  }
  'GET /api/factors': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: Factors
  }
  'POST /api/factors/passkeys/begin': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: {
      readonly ticket: string
      /** Options for the passkey request of the browser. */
      readonly passkey: unknown
    }
  }
  'POST /api/factors/passkeys': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly ticket: string
      readonly name: string
      readonly passkey: unknown
    }
    response: {
      readonly id: string
      readonly name: string
      readonly created_at: string
      readonly backed_up: boolean
      readonly user_verified: boolean
      readonly used_at: string | null
      /** Null if codes already exist. */
      readonly recovery_codes: readonly string[] | null
    }
  }
  'POST /api/factors/passkeys/rename': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly id: string
      readonly name: string
    }
    response: Passkey
  }
  'POST /api/factors/passkeys/remove': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly id: string
    }
    response: undefined
  }
  'POST /api/factors/codes/begin': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: {
      readonly secret: string
      readonly uri: string
    }
  }
  'POST /api/factors/codes': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly code: string
    }
    response: {
      /** Null if codes already exist. */
      readonly recovery_codes: readonly string[] | null
    }
  }
  'DELETE /api/factors/codes': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  'POST /api/factors/recovery-codes': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: {
      /** Shown only once. */
      readonly recovery_codes: readonly string[]
    }
  }
  'GET /api/interaction/{uid}': {
    path: {
      readonly uid: string
    }
    query: Record<never, never>
    body: undefined
    response: Interaction
  }
  'POST /api/interaction/{uid}/login': {
    path: {
      readonly uid: string
    }
    query: Record<never, never>
    body: {
      readonly email?: string
      readonly password?: string
    }
    response: GoOn | SecondStep
  }
  'POST /api/interaction/{uid}/consent': {
    path: {
      readonly uid: string
    }
    query: Record<never, never>
    body: {
      readonly decision: 'allow' | 'deny'
      readonly organisation_id?: string | null
    }
    response: GoOn
  }
  'GET /api/device': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: {
      readonly csrf: string
    }
  }
  'POST /api/device/lookup': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly user_code: string
    }
    response: DeviceRequest
  }
  'POST /api/device/confirm': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly user_code: string
      readonly decision: 'allow' | 'deny'
    }
    response: GoOn | {
      readonly done: 'denied'
    }
  }
  'GET /api/account': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: Account
  }
  'POST /api/account/name': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly name: string
    }
    response: {
      readonly name: string
    }
  }
  'POST /api/account/password': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly present: string
      readonly password: string
      readonly disconnect: boolean
    }
    response: undefined
  }
  'POST /api/account/verify': {
    path: Record<never, never>
    query: Record<never, never>
    body: Record<never, never>
    response: {
      readonly sent_to: string
    }
  }
  'POST /api/account/email': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly email: string
    }
    response: {
      readonly sent_to: string
    }
  }
  'POST /api/account/delete': {
    path: Record<never, never>
    query: Record<never, never>
    body: Record<never, never>
    response: {
      readonly erased_from: string
    }
  }
  'POST /api/account/keep': {
    path: Record<never, never>
    query: Record<never, never>
    body: Record<never, never>
    response: undefined
  }
  'POST /api/account/organisations/{organisation_id}/leave': {
    path: {
      readonly organisation_id: string
    }
    query: Record<never, never>
    body: Record<never, never>
    response: undefined
  }
  'GET /api/account/sessions': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: {
      readonly data: readonly OwnSession[]
    }
  }
  'POST /api/account/sessions/{session_id}/end': {
    path: {
      readonly session_id: string
    }
    query: Record<never, never>
    body: Record<never, never>
    response: undefined
  }
  'POST /api/account/end-other-sessions': {
    path: Record<never, never>
    query: Record<never, never>
    body: Record<never, never>
    response: undefined
  }
  'GET /api/forgot-password': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: {
      readonly sends_mail: boolean
    }
  }
  'POST /api/forgot-password': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly email: string
    }
    response: Record<never, never>
  }
  'POST /api/reset-password/lookup': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly token: string
    }
    response: {
      readonly email: string
      readonly kind: 'reset' | 'verify' | 'change' | 'undo' | 'not_me'
    }
  }
  'POST /api/reset-password': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly token: string
      readonly password: string
    }
    response: {
      readonly email: string
    }
  }
  'POST /api/verify-address/lookup': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly token: string
    }
    response: {
      readonly email: string
      readonly kind: 'reset' | 'verify' | 'change' | 'undo' | 'not_me'
    }
  }
  'POST /api/verify-address': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly token: string
    }
    response: {
      readonly email: string
    }
  }
  'POST /api/confirm-sign-up/lookup': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly token: string
    }
    response: WaitingSignUp
  }
  'POST /api/confirm-sign-up': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly token: string
      readonly password?: string
    }
    response: {
      readonly email: string
      readonly organisation_id: string
      readonly is_new: boolean
    }
  }
  'GET /api/account/export': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  'GET /api/account/applications': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: {
      readonly applications: readonly ConnectedApplication[]
    }
  }
  'DELETE /api/account/applications/{consent_id}': {
    path: {
      readonly consent_id: string
    }
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  'POST /api/operator/people/{person_id}/reset-password': {
    path: {
      readonly person_id: string
    }
    query: Record<never, never>
    body: Record<never, never>
    response: {
      readonly id: string
      readonly email: string
      readonly password: string
    }
  }
  'GET /api/operator/organisations': {
    path: Record<never, never>
    query: {
      readonly search?: string
      readonly state?: 'active' | 'disabled' | 'inactive' | 'awaiting_approval'
    }
    body: undefined
    response: {
      readonly data: readonly OrganisationRow[]
      readonly more: boolean
    }
  }
  'GET /api/operator/organisations/{organisation_id}': {
    path: {
      readonly organisation_id: string
    }
    query: Record<never, never>
    body: undefined
    response: OneOrganisation
  }
  'GET /api/operator/organisations/{organisation_id}/usage/{month}': {
    path: {
      readonly organisation_id: string
      readonly month: string
    }
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  'POST /api/operator/organisations/{organisation_id}/disable': {
    path: {
      readonly organisation_id: string
    }
    query: Record<never, never>
    body: Record<never, never>
    response: {
      readonly id: string
      readonly name: string
      readonly state: 'active' | 'disabled' | 'inactive'
      /** Why checks are not answered; null while they are. */
      readonly state_reason: ('disabled' | 'awaiting_approval' | 'overdue' | 'disputed' | 'deactivated' | 'ended' | 'first_payment') | null
    }
  }
  'POST /api/operator/organisations/{organisation_id}/enable': {
    path: {
      readonly organisation_id: string
    }
    query: Record<never, never>
    body: Record<never, never>
    response: {
      readonly id: string
      readonly name: string
      readonly state: 'active' | 'disabled' | 'inactive'
      /** Why checks are not answered; null while they are. */
      readonly state_reason: ('disabled' | 'awaiting_approval' | 'overdue' | 'disputed' | 'deactivated' | 'ended' | 'first_payment') | null
    }
  }
  'POST /api/operator/organisations/{organisation_id}/deactivate': {
    path: {
      readonly organisation_id: string
    }
    query: Record<never, never>
    body: Record<never, never>
    response: {
      readonly id: string
      readonly name: string
      readonly state: 'active' | 'disabled' | 'inactive'
      /** Why checks are not answered; null while they are. */
      readonly state_reason: ('disabled' | 'awaiting_approval' | 'overdue' | 'disputed' | 'deactivated' | 'ended' | 'first_payment') | null
    }
  }
  'POST /api/operator/organisations/{organisation_id}/activate': {
    path: {
      readonly organisation_id: string
    }
    query: Record<never, never>
    body: Record<never, never>
    response: {
      readonly id: string
      readonly name: string
      readonly state: 'active' | 'disabled' | 'inactive'
      /** Why checks are not answered; null while they are. */
      readonly state_reason: ('disabled' | 'awaiting_approval' | 'overdue' | 'disputed' | 'deactivated' | 'ended' | 'first_payment') | null
    }
  }
  'POST /api/operator/organisations/{organisation_id}/approve': {
    path: {
      readonly organisation_id: string
    }
    query: Record<never, never>
    body: Record<never, never>
    response: {
      readonly id: string
      readonly name: string
      readonly state: 'active' | 'disabled' | 'inactive'
      /** Why checks are not answered; null while they are. */
      readonly state_reason: ('disabled' | 'awaiting_approval' | 'overdue' | 'disputed' | 'deactivated' | 'ended' | 'first_payment') | null
    }
  }
  'POST /api/operator/organisations/{organisation_id}/credit': {
    path: {
      readonly organisation_id: string
    }
    query: Record<never, never>
    body: {
      readonly pence: number
      readonly reason: string
    }
    response: {
      readonly credit_pence: number
    }
  }
  'POST /api/operator/invoices/{invoice_id}/settle': {
    path: {
      readonly invoice_id: string
    }
    query: Record<never, never>
    body: {
      readonly reference?: string
    }
    response: Settled
  }
  'POST /api/operator/invoices/{invoice_id}/void': {
    path: {
      readonly invoice_id: string
    }
    query: Record<never, never>
    body: Record<never, never>
    response: {
      readonly invoice: Invoice
    }
  }
  'GET /api/intelligence': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: Intelligence
  }
  'GET /api/operator/status': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: Status
  }
  'GET /api/operator/requests/{request_id}': {
    path: {
      readonly request_id: string
    }
    query: Record<never, never>
    body: undefined
    response: AnsweredRequest
  }
  'GET /api/operator/feedback': {
    path: Record<never, never>
    query: {
      readonly cursor?: string
    }
    body: undefined
    response: {
      readonly data: readonly FeedbackRow[]
      /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
      readonly next_cursor: string | null
    }
  }
  'GET /api/inbox': {
    path: Record<never, never>
    query: {
      readonly organisation_id: string
      readonly before?: string
    }
    body: undefined
    response: Inbox
  }
  'GET /api/inbox/unread': {
    path: Record<never, never>
    query: {
      readonly organisation_id: string
    }
    body: undefined
    response: {
      readonly unread: number
    }
  }
  'POST /api/inbox/read': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly organisation_id: string
    }
    response: undefined
  }
  'GET /api/account/digest': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: {
      readonly frequency: 'never' | 'daily' | 'weekly'
    }
  }
  'POST /api/account/digest': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly frequency: 'never' | 'daily' | 'weekly'
    }
    response: undefined
  }
}
