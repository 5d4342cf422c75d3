// Written by `npm run generate` from openapi.json. Changes belong there.

export type AccountComparison = {
  /** `matches`: an account on record. `differs`: there are others on record. `unknown`: no such counterparty, or none of its accounts is on record. */
  readonly result: 'matches' | 'differs' | 'unknown'
  /** The compared account; null if none was given. */
  readonly account: BankAccount | null
  /** Counterparties with the email address or domain; if it matches, those that also have the account. */
  readonly counterparties: readonly KnownCounterparty[]
  /** Other counterparties that have the account. */
  readonly account_of: readonly KnownCounterparty[]
  /** Counterparties whose name the sender bears, if the address or domain belongs to none of yours. */
  readonly named: readonly KnownCounterparty[]
  readonly decision?: Decision
}

export type Alert = {
  readonly id: string
  /** The watched amount: remaining credit, or this month's overage. */
  readonly kind: 'credit_below' | 'overage_above'
  /** The alert triggers below it (credit) or above it (overage). */
  readonly threshold_pence: number
  readonly triggered: boolean
  /** When the alert was triggered. */
  readonly triggered_at: string | null
  /** When it was set. */
  readonly created_at: string
}

/** A billing alert was reached. */
export type AlertReachedEvent = {
  readonly id: string
  readonly type: 'alert.reached'
  /** When it happened. */
  readonly timestamp: string
  readonly data: {
    /** The alert. */
    readonly alert_id: string
    readonly alert: 'credit_below' | 'overage_above'
    /** The threshold of the alert. */
    readonly threshold_pence: number
    /** The current amount. */
    readonly present_pence: number
    /** The event in one sentence. */
    readonly summary: string
  }
}

export type Alerts = {
  readonly data: readonly Alert[]
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

export type ApiKey = {
  readonly id: string
  readonly name: string
  /** The first characters of the key, to recognise it. */
  readonly hint: string
  readonly scopes: readonly ('risk:payment' | 'risk:supply-chain' | 'risk:infrastructure' | 'risk:bulk' | 'billing:read' | 'billing:write' | 'organisation:read' | 'organisation:write')[]
  readonly state: 'active' | 'expired' | 'revoked'
  /** When it was created. */
  readonly created_at: string
  /** The person or program that made it; null if that is not known. */
  readonly created_by: {
    readonly kind: 'api_key' | 'application' | 'person' | 'operator' | 'system'
    readonly id: string
    /** Name at that time. */
    readonly name: string | null
  } | null
  /** When it expires. */
  readonly expires_at: string | null
  /** When it was last used, accurate to half a minute. */
  readonly last_used_at: string | null
  /** When it was revoked. */
  readonly revoked_at: string | null
}

export type ApiKeyPage = {
  readonly data: readonly ApiKey[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
}

export type Application = {
  readonly id: string
  readonly kind: 'service' | 'web' | 'spa' | 'native'
  readonly name: string
  readonly scopes: readonly string[]
  readonly redirect_uris: readonly string[]
  readonly logout_uris: readonly string[]
  /** Privacy policy, linked on the consent page. */
  readonly policy_uri: string | null
  /** Terms of service, linked on the consent page. */
  readonly terms_uri: string | null
  readonly authentication: 'client_secret' | 'private_key_jwt' | 'none'
  /** Public keys; null if there are none, or if they are read from `jwks_uri`. */
  readonly jwks: {
    readonly keys: readonly Readonly<Record<string, unknown>>[]
  } | null
  /** Address of the public keys. */
  readonly jwks_uri: string | null
  /** Until when the former secret is still valid. */
  readonly former_secret_expires_at: string | null
  /** Signature algorithm of its ID tokens. */
  readonly id_token_signed_response_alg: 'RS256' | 'ES256'
  readonly state: 'active' | 'disabled'
  /** When it was registered. */
  readonly created_at: string
  /** The person or program that made it; null if that is not known. */
  readonly created_by: {
    readonly kind: 'api_key' | 'application' | 'person' | 'operator' | 'system'
    readonly id: string
    /** Name at that time. */
    readonly name: string | null
  } | null
  /** When it was last changed. */
  readonly updated_at: string
  /** When it was last used, accurate to half a minute. */
  readonly last_used_at: string | null
}

export type ApplicationPage = {
  readonly data: readonly Application[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
}

export type AskedInvitation = {
  /** Name of the inviter, who was notified; null if the owners were notified. */
  readonly inviter: string | null
}

/** An event. */
export type AssayEvent = CheckDecidedEvent | CheckReviewEvent | AlertReachedEvent | InvoiceIssuedEvent | InvoiceOverdueEvent | InvoicePaidEvent | CreditLowEvent | KeyExpiringEvent | MemberJoinedEvent | MemberLeftEvent | WebhookDisabledEvent

export type AuditEntry = {
  readonly id: string
  /** Time of the change. */
  readonly created_at: string
  /** Who made the change. */
  readonly actor: {
    readonly kind: 'api_key' | 'application' | 'person' | 'operator' | 'system'
    readonly id: string
    /** Name at that time. */
    readonly name: string | null
  }
  /** The action. */
  readonly action: 'backup.create' | 'backup.restore' | 'ledger.archive' | 'ledger.restore' | 'oauth.rotate_keys' | 'receipts.rotate_key' | 'secret.rotate' | 'secret.finish' | 'maintenance.begin' | 'maintenance.end' | 'organisation.create' | 'organisation.update' | 'organisation.disable' | 'organisation.enable' | 'organisation.deactivate' | 'organisation.activate' | 'organisation.approve' | 'organisation.erase' | 'erasure.ask' | 'erasure.cancel' | 'member.join' | 'member.update' | 'member.remove' | 'person.disable' | 'person.enable' | 'person.password' | 'person.rename' | 'person.email' | 'person.delete' | 'person.verify' | 'person.operator' | 'session.begin' | 'session.fail' | 'session.end' | 'factor.add' | 'factor.remove' | 'factor.recovery' | 'organisation.second_factor' | 'grant.create' | 'grant.withdraw' | 'grant.reuse' | 'invitation.create' | 'invitation.revoke' | 'invitation.ask' | 'key.create' | 'key.update' | 'key.rotate' | 'key.revoke' | 'client.create' | 'client.update' | 'client.rotate_secret' | 'client.delete' | 'counterparty.create' | 'counterparty.update' | 'counterparty.delete' | 'counterparty.import' | 'counterparty.undo' | 'webhook.create' | 'webhook.update' | 'webhook.rotate_secret' | 'webhook.delete' | 'checkout.complete' | 'subscription.change' | 'subscription.end' | 'subscription.resume' | 'subscription.given' | 'credit.add' | 'plan.set' | 'limit.set' | 'details.update' | 'payment.credited' | 'payment.unmatched' | 'payment.refund' | 'payment.dispute' | 'top_up.create' | 'alert.create' | 'alert.delete' | 'invoice.issue' | 'invoice.settle' | 'invoice.void' | 'account.inactive' | 'account.active' | 'organisation.allow_approval' | 'organisation.decision_approval' | 'organisation.history' | 'own_list.add' | 'own_list.update' | 'own_list.approve' | 'own_list.remove' | 'own_list.import' | 'decision_rules.update' | 'check.decide' | 'check.review' | 'check.feedback' | 'domain.add' | 'domain.verify' | 'domain.lose' | 'domain.remove' | 'check.erase'
  /** The thing that was changed. */
  readonly target_id: string | null
  /** Details of the change; never a secret. */
  readonly detail: Readonly<Record<string, unknown>>
  /** IP address of the caller. */
  readonly ip: string | null
  readonly request_id: string | null
}

export type AuditEntryPage = {
  readonly data: readonly AuditEntry[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
}

export type Balances = {
  /** Included credit. */
  readonly included_credit_pence: number
  /** Prepaid credit. */
  readonly prepaid_credit_pence: number
  /** Overage not settled. */
  readonly overage_owed_pence: number
}

/** A bank account on record. Only a keyed digest and the last four characters of it are stored. */
export type BankAccount = {
  /** An IBAN, or a UK or US account number. */
  readonly kind: 'iban' | 'uk' | 'us'
  /** ISO 3166 code. */
  readonly country: string
  /** The last four characters. */
  readonly last4: string
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

export type BillingDetails = {
  /** Name on invoices; null: the name of the organisation. */
  readonly name: string | null
  /** Address on invoices, with line breaks. */
  readonly address: string | null
  /** Tax number on invoices. */
  readonly tax_id: string | null
}

export type BulkInfrastructureRiskResult = {
  /** One per submitted record, in order, duplicates included. */
  readonly results: readonly {
    /** The indicator exactly as submitted. */
    readonly ip: string
    readonly risk: Risk
    /** low 0–29, medium 30–69, high 70–100. */
    readonly risk_score: number
    /** Only with explain=true: every reason, own knowledge first, then the strongest. */
    readonly signals?: readonly Signal[]
    readonly counterparty?: CounterpartyRelation
    readonly decision?: Decision
    readonly changed_since?: ChangedSince
  }[]
  /** True if money was charged, from credit or as overage. */
  readonly charged: boolean
  /** True if a free allowance or a zero-priced plan covered the whole request. */
  readonly is_free: boolean
  /** Price of one unit, in pence. */
  readonly unit_price_pence: number
  /** Units of this request: one per record. */
  readonly billable_units: number
  /** Total price, in pence. */
  readonly total_price_pence: number
  /** Part taken from credit. */
  readonly charged_from_credit_pence: number
  /** Part beyond credit. */
  readonly overage_pence: number
  /** Credit left after this request. */
  readonly remaining_credit_pence: number
  /** Only with explain=true: the starting score. Together with the effects of the signals it is `risk_score`. */
  readonly base_score?: number
  readonly coverage?: Coverage
  readonly intelligence?: Intelligence
  /** Only with explain=true, and only if checks are kept: record n, counted from 0, is the check `<check_id>-n`. */
  readonly check_id?: string
}

export type BulkPaymentRiskResult = {
  /** One per submitted record, in order, duplicates included. */
  readonly results: readonly {
    /** The indicator exactly as submitted. */
    readonly email: string
    readonly risk: Risk
    /** low 0–29, medium 30–69, high 70–100. */
    readonly risk_score: number
    /** Only with explain=true: every reason, own knowledge first, then the strongest. */
    readonly signals?: readonly Signal[]
    readonly counterparty?: CounterpartyRelation
    readonly decision?: Decision
    readonly changed_since?: ChangedSince
  }[]
  /** True if money was charged, from credit or as overage. */
  readonly charged: boolean
  /** True if a free allowance or a zero-priced plan covered the whole request. */
  readonly is_free: boolean
  /** Price of one unit, in pence. */
  readonly unit_price_pence: number
  /** Units of this request: one per record. */
  readonly billable_units: number
  /** Total price, in pence. */
  readonly total_price_pence: number
  /** Part taken from credit. */
  readonly charged_from_credit_pence: number
  /** Part beyond credit. */
  readonly overage_pence: number
  /** Credit left after this request. */
  readonly remaining_credit_pence: number
  /** Only with explain=true: the starting score. Together with the effects of the signals it is `risk_score`. */
  readonly base_score?: number
  readonly coverage?: Coverage
  readonly intelligence?: Intelligence
  /** Only with explain=true, and only if checks are kept: record n, counted from 0, is the check `<check_id>-n`. */
  readonly check_id?: string
}

export type BulkSupplyChainRiskResult = {
  /** One per submitted record, in order, duplicates included. */
  readonly results: readonly {
    /** The indicator exactly as submitted. */
    readonly domain: string
    readonly risk: Risk
    /** low 0–29, medium 30–69, high 70–100. */
    readonly risk_score: number
    /** Only with explain=true: every reason, own knowledge first, then the strongest. */
    readonly signals?: readonly Signal[]
    readonly counterparty?: CounterpartyRelation
    readonly decision?: Decision
    readonly changed_since?: ChangedSince
  }[]
  /** True if money was charged, from credit or as overage. */
  readonly charged: boolean
  /** True if a free allowance or a zero-priced plan covered the whole request. */
  readonly is_free: boolean
  /** Price of one unit, in pence. */
  readonly unit_price_pence: number
  /** Units of this request: one per record. */
  readonly billable_units: number
  /** Total price, in pence. */
  readonly total_price_pence: number
  /** Part taken from credit. */
  readonly charged_from_credit_pence: number
  /** Part beyond credit. */
  readonly overage_pence: number
  /** Credit left after this request. */
  readonly remaining_credit_pence: number
  /** Only with explain=true: the starting score. Together with the effects of the signals it is `risk_score`. */
  readonly base_score?: number
  readonly coverage?: Coverage
  readonly intelligence?: Intelligence
  /** Only with explain=true, and only if checks are kept: record n, counted from 0, is the check `<check_id>-n`. */
  readonly check_id?: string
}

/** Only with explain=true, and only if the check is kept and the organisation has checked the indicator before. */
export type ChangedSince = {
  /** The last check of this indicator on record. */
  readonly check_id: string
  readonly asked_at: string
  readonly risk: Risk
  /** low 0–29, medium 30–69, high 70–100. */
  readonly risk_score: number
  /** Each difference as a sentence; may change. */
  readonly changes: readonly string[]
}

export type Check = {
  readonly id: string
  /** When it was asked. */
  readonly asked_at: string
  readonly kind: 'email' | 'domain' | 'ip'
  /** As submitted; null if no key of the server opens it. */
  readonly indicator: string | null
  readonly risk: 'low' | 'medium' | 'high'
  /** low 0–29, medium 30–69, high 70–100. */
  readonly risk_score: number
  /** console: a person asked in the console. api: a program asked. */
  readonly channel: 'console' | 'api'
  /** The person, key or application, with its current name. */
  readonly asked_by: {
    readonly kind: 'person' | 'key' | 'application'
    readonly id: string
    readonly name: string | null
  }
  /** As in the ledger. */
  readonly request_id: string
  /** For the record of a list, its share of the price. Null like the indicator. */
  readonly price: {
    /** True if money was charged, from credit or as overage. */
    readonly charged: boolean
    /** True if a free allowance or a zero-priced plan covered the whole request. */
    readonly is_free: boolean
    /** Price of one unit, in pence. */
    readonly unit_price_pence: number
    /** Total price, in pence. */
    readonly total_price_pence: number
  } | null
  readonly intelligence_version: string
  /** The outcome of the decision rules; null if none matched. */
  readonly rule_decision: ('approve' | 'review' | 'stop') | null
  /** The decision of people; null before the first one. */
  readonly decision: CheckDecision | null
  /** Null if nobody asked for a review. */
  readonly review: CheckReview | null
  /** Null unless somebody said that the answer is wrong. */
  readonly feedback: CheckFeedback | null
}

/** Somebody decided on a kept check. */
export type CheckDecidedEvent = {
  readonly id: string
  readonly type: 'check.decided'
  /** When it happened. */
  readonly timestamp: string
  readonly data: {
    /** The kept check. */
    readonly check_id: string
    readonly kind: 'email' | 'domain' | 'ip'
    readonly risk: 'low' | 'medium' | 'high'
    /** The decision. */
    readonly decision?: string
    /** The event in one sentence. */
    readonly summary: string
  }
}

export type CheckDecision = {
  readonly decision: 'approved' | 'stopped' | 'false_alarm' | 'review'
  /** waiting_for_second: the organisation asks for two people, and another has to set the same decision. */
  readonly state: 'waiting_for_second' | 'made'
  /** Why, in words. */
  readonly note: string | null
  /** The steps that were taken. */
  readonly steps: readonly string[]
  readonly by: {
    readonly id: string
    readonly name: string | null
  }
  /** When it was put. */
  readonly at: string
  readonly second_by: {
    readonly id: string
    readonly name: string | null
  } | null
  /** When the second person put it; null if nobody did. */
  readonly second_at: string | null
}

export type CheckFeedback = {
  /** The risk was too high, or too low. */
  readonly wrong: 'too_high' | 'too_low'
  readonly reason: string
  readonly by: {
    readonly id: string
    readonly name: string | null
  }
  /** When it was given. */
  readonly at: string
}

export type CheckPage = {
  readonly data: readonly Check[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
}

export type CheckReview = {
  readonly state: 'open' | 'done'
  /** The person who reviews it; null: anybody. */
  readonly assigned_to: {
    readonly id: string
    readonly name: string | null
  } | null
  /** When the review was opened. */
  readonly since: string
}

/** A kept check waits for a review, or was assigned to somebody. */
export type CheckReviewEvent = {
  readonly id: string
  readonly type: 'check.review'
  /** When it happened. */
  readonly timestamp: string
  readonly data: {
    /** The kept check. */
    readonly check_id: string
    readonly kind: 'email' | 'domain' | 'ip'
    readonly risk: 'low' | 'medium' | 'high'
    readonly assigned_to?: string | null
    /** Of a list: how many more of its records wait for a review. */
    readonly others?: number
    /** The event in one sentence. */
    readonly summary: string
  }
}

export type CheckWithAnswer = {
  readonly id: string
  /** When it was asked. */
  readonly asked_at: string
  readonly kind: 'email' | 'domain' | 'ip'
  /** As submitted; null if no key of the server opens it. */
  readonly indicator: string | null
  readonly risk: 'low' | 'medium' | 'high'
  /** low 0–29, medium 30–69, high 70–100. */
  readonly risk_score: number
  /** console: a person asked in the console. api: a program asked. */
  readonly channel: 'console' | 'api'
  /** The person, key or application, with its current name. */
  readonly asked_by: {
    readonly kind: 'person' | 'key' | 'application'
    readonly id: string
    readonly name: string | null
  }
  /** As in the ledger. */
  readonly request_id: string
  /** For the record of a list, its share of the price. Null like the indicator. */
  readonly price: {
    /** True if money was charged, from credit or as overage. */
    readonly charged: boolean
    /** True if a free allowance or a zero-priced plan covered the whole request. */
    readonly is_free: boolean
    /** Price of one unit, in pence. */
    readonly unit_price_pence: number
    /** Total price, in pence. */
    readonly total_price_pence: number
  } | null
  readonly intelligence_version: string
  /** The outcome of the decision rules; null if none matched. */
  readonly rule_decision: ('approve' | 'review' | 'stop') | null
  /** The decision of people; null before the first one. */
  readonly decision: CheckDecision | null
  /** Null if nobody asked for a review. */
  readonly review: CheckReview | null
  /** Null unless somebody said that the answer is wrong. */
  readonly feedback: CheckFeedback | null
  /** The answer as it was given, with its reasons; null if no key of the server opens it. Reasons that nobody asked for are kept for single checks only. */
  readonly answer: RiskResult | null
}

export type Checkout = {
  readonly id: string
  /** pending: the first invoice is unpaid, or the operator must approve the account. */
  readonly state: 'pending' | 'complete'
  readonly organisation_id: string
  readonly plan: string
  /** State of the first invoice. */
  readonly amount_due_pence: number
  /** True if the key was already requested. */
  readonly key_shown: boolean
}

export type ClaimedKey = {
  readonly organisation_id: string
  readonly key_id: string
  /** Shown only once. */
  readonly api_key: string
  /** A first request to try. */
  readonly curl: string
}

export type Consent = {
  readonly id: string
  readonly member: {
    readonly id: string
    readonly name: string
    readonly email: string
  }
  readonly client: {
    readonly id: string
    readonly name: string
    /** Organisation that owns the application; null: part of this server. */
    readonly organisation_id: string | null
    /** Name of that organisation. */
    readonly organisation_name: string | null
  }
  readonly scopes: readonly string[]
  /** When the member first allowed it. */
  readonly created_at: string
  /** When the application last got a token; null if unknown. */
  readonly last_used_at: string | null
  /** When the consent expires, unless the member renews it. */
  readonly expires_at: string
}

export type ConsentPage = {
  readonly data: readonly Consent[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
}

export type Counterparty = {
  readonly id: string
  readonly name: string
  /** Its number in your own books; unique. */
  readonly reference: string | null
  readonly state: 'active' | 'former' | 'blocked'
  readonly domains: readonly string[]
  readonly emails: readonly string[]
  /** IP addresses and networks. */
  readonly networks: readonly string[]
  readonly accounts: readonly BankAccount[]
  /** Known since this year or day. */
  readonly since: string | null
  readonly note: string | null
  /** When it was added. */
  readonly created_at: string
  /** When it was last changed. */
  readonly updated_at: string
}

export type CounterpartyDifference = {
  readonly difference: 'new' | 'changed' | 'gone'
  /** The fields that change. */
  readonly changed: readonly ('name' | 'reference' | 'since' | 'note' | 'state' | 'domains' | 'emails' | 'networks' | 'accounts')[]
  readonly before: Counterparty | null
  readonly after: Counterparty | null
}

export type CounterpartyDifferencePage = {
  readonly data: readonly CounterpartyDifference[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
}

export type CounterpartyImport = {
  readonly id: string
  readonly state: 'open' | 'applying' | 'applied' | 'undone' | 'discarded'
  readonly file_name: string | null
  /** The columns of the file: an export has the same. */
  readonly columns: readonly {
    readonly title: string
    /** Null: the column is not used. */
    readonly field: ('name' | 'reference' | 'since' | 'note' | 'state' | 'domains' | 'emails' | 'networks' | 'accounts') | null
  }[]
  /** How the file is written: an export has the same. */
  readonly format: {
    /** Default a comma. */
    readonly separator?: ',' | ';' | '	' | '|'
    /** Default `yyyy-mm-dd`. */
    readonly days?: 'yyyy-mm-dd' | 'dd.mm.yyyy'
  }
  /** Treatment of counterparties that are not in the file; default `keep`. */
  readonly gone: 'keep' | 'former' | 'delete'
  /** Rows with an error: `refuse` the whole import (default), or `skip` these rows. */
  readonly invalid_rows: 'refuse' | 'skip'
  /** Rows of the file. */
  readonly rows: number
  /** The differences between the file and the counterparties. */
  readonly counts: {
    /** Rows that have arrived. */
    readonly received: number
    readonly new: number
    readonly changed: number
    readonly same: number
    /** Rows of a counterparty that an earlier row names. */
    readonly merged: number
    readonly invalid: number
    /** Counterparties that are not in the file; final when all rows have arrived. */
    readonly gone: number
  }
  /** Of applying: counterparties copied because they are not in the file. */
  readonly progress: {
    readonly done: number
    readonly total: number
  }
  readonly can_undo: boolean
  /** When it was begun. */
  readonly created_at: string
  /** When it last changed. */
  readonly updated_at: string
}

export type CounterpartyImportPage = {
  readonly data: readonly CounterpartyImport[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
}

export type CounterpartyImportPart = {
  readonly id: string
  readonly state: 'open' | 'applying' | 'applied' | 'undone' | 'discarded'
  readonly file_name: string | null
  /** The columns of the file: an export has the same. */
  readonly columns: readonly {
    readonly title: string
    /** Null: the column is not used. */
    readonly field: ('name' | 'reference' | 'since' | 'note' | 'state' | 'domains' | 'emails' | 'networks' | 'accounts') | null
  }[]
  /** How the file is written: an export has the same. */
  readonly format: {
    /** Default a comma. */
    readonly separator?: ',' | ';' | '	' | '|'
    /** Default `yyyy-mm-dd`. */
    readonly days?: 'yyyy-mm-dd' | 'dd.mm.yyyy'
  }
  /** Treatment of counterparties that are not in the file; default `keep`. */
  readonly gone: 'keep' | 'former' | 'delete'
  /** Rows with an error: `refuse` the whole import (default), or `skip` these rows. */
  readonly invalid_rows: 'refuse' | 'skip'
  /** Rows of the file. */
  readonly rows: number
  /** The differences between the file and the counterparties. */
  readonly counts: {
    /** Rows that have arrived. */
    readonly received: number
    readonly new: number
    readonly changed: number
    readonly same: number
    /** Rows of a counterparty that an earlier row names. */
    readonly merged: number
    readonly invalid: number
    /** Counterparties that are not in the file; final when all rows have arrived. */
    readonly gone: number
  }
  /** Of applying: counterparties copied because they are not in the file. */
  readonly progress: {
    readonly done: number
    readonly total: number
  }
  readonly can_undo: boolean
  /** When it was begun. */
  readonly created_at: string
  /** When it last changed. */
  readonly updated_at: string
  /** About the rows of this request. */
  readonly remarks: readonly CounterpartyImportRemarks[]
}

export type CounterpartyImportRemarks = {
  /** Number of the row in the file. */
  readonly row: number
  /** True if the row is left out. */
  readonly invalid: boolean
  /** Findings that a person should know, such as `shared_domain`: others have the domain too. */
  readonly remarks: readonly {
    readonly pointer: string
    readonly code: string
    readonly detail: string
  }[]
}

export type CounterpartyImportRemarksPage = {
  readonly data: readonly CounterpartyImportRemarks[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
}

export type CounterpartyPage = {
  readonly data: readonly Counterparty[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
}

/** Only with explain=true, and only if your organisation has such a counterparty: the one that the indicator belongs to, or may be mistaken for. */
export type CounterpartyRelation = {
  /** The counterparty. */
  readonly id: string
  readonly name: string
  /** Its number in your own books. */
  readonly reference: string | null
  readonly state: 'active' | 'former' | 'blocked'
  /** Since when you know it. */
  readonly since: string | null
  /** domain: its domain, or a name below it. email: its address. new_mailbox: a mailbox on its domain that the register does not have. network: inside its network. lookalike: easily mistaken for its domain. possible_lookalike: close to its domain. namesake: has its name, which others may have too. claimed_name: a free mailbox that carries its name. */
  readonly relation: 'domain' | 'email' | 'new_mailbox' | 'network' | 'lookalike' | 'possible_lookalike' | 'namesake' | 'claimed_name'
}

export type CounterpartyWithRemarks = {
  readonly id: string
  readonly name: string
  /** Its number in your own books; unique. */
  readonly reference: string | null
  readonly state: 'active' | 'former' | 'blocked'
  readonly domains: readonly string[]
  readonly emails: readonly string[]
  /** IP addresses and networks. */
  readonly networks: readonly string[]
  readonly accounts: readonly BankAccount[]
  /** Known since this year or day. */
  readonly since: string | null
  readonly note: string | null
  /** When it was added. */
  readonly created_at: string
  /** When it was last changed. */
  readonly updated_at: string
  /** Findings that a person should know, such as `shared_domain`: others have the domain too. */
  readonly remarks: readonly {
    readonly pointer: string
    readonly code: string
    readonly detail: string
  }[]
}

export type Coverage = {
  /** Lists of threats, of properties, and of known good names and addresses. */
  readonly lists: {
    /** none: no such list is loaded. not_applicable: such lists do not apply to this indicator. */
    readonly status: 'consulted' | 'none' | 'not_applicable'
    /** Number of lists. */
    readonly sources: number
    readonly oldest: string | null
    readonly newest: string | null
    /** Number of threat lists. */
    readonly threat_sources: number
  }
  /** Trained models: of names for email addresses and domains, of networks for IP addresses. */
  readonly model: {
    readonly status: 'consulted' | 'not_applicable'
    /** Release of the model. */
    readonly version: string
  }
  /** Lists of popular sites. */
  readonly popularity: {
    /** none: no such list is loaded. not_applicable: such lists do not apply to this indicator. */
    readonly status: 'consulted' | 'none' | 'not_applicable'
    /** Number of lists. */
    readonly sources: number
    readonly oldest: string | null
    readonly newest: string | null
  }
  /** Facts looked up during the check: registration, mail and servers of a name. */
  readonly live: {
    /** complete: every look-up was answered in time. partial: some were not; a later check may have the rest. off: nothing was looked up, because look-ups are off or not possible. */
    readonly status: 'complete' | 'partial' | 'off'
    /** Why facts were not looked up; absent if all were. server_silent: a resolver or registry does not answer, or asked to wait. zone_limit: the organisation asks about too many names of one zone. zone_silent: the name servers of the domain do not answer. queue_full: too many look-ups of the organisation wait. A later check may have these facts. */
    readonly held_back?: readonly ('queue_full' | 'server_silent' | 'zone_limit' | 'zone_silent')[]
  }
}

/** The credit pays for fewer than a hundred checks, and checks are refused after it; at most once a month. */
export type CreditLowEvent = {
  readonly id: string
  readonly type: 'credit.low'
  /** When it happened. */
  readonly timestamp: string
  readonly data: {
    /** The remaining credit. */
    readonly credit_pence: number
    /** The event in one sentence. */
    readonly summary: string
  }
}

/** Only with explain=true, and only if a decision rule of the organisation matches: the first one that does. For a bank account that was compared: the first rule about accounts that matches. */
export type Decision = {
  readonly outcome: 'approve' | 'review' | 'stop'
  /** Name of the rule that decided. */
  readonly rule: string
  /** Instruction for the clerk. */
  readonly text: string
}

export type DecisionRule = {
  /** Name of the rule, which the decision shows. */
  readonly name: string
  /** Every given condition must hold; of a list, one of its words. Empty: every answer. */
  readonly when: {
    /** Families of checks. */
    readonly families?: readonly ('payment-risk' | 'supply-chain-risk' | 'infrastructure-risk')[]
    /** Risk of the answer. */
    readonly levels?: readonly ('low' | 'medium' | 'high')[]
    /** Codes of signals, of which the answer has at least one. */
    readonly signals?: readonly string[]
    /** Own lists with the indicator; none: it is on none of them. */
    readonly own_lists?: readonly ('allow' | 'block' | 'review' | 'none')[]
    /** known: a counterparty. lookalike: imitates one. none: neither. */
    readonly counterparties?: readonly ('known' | 'former' | 'blocked' | 'lookalike' | 'none')[]
    /** True: the bank account is not one of the counterparty. Matches only where an account was compared. */
    readonly account_differs?: boolean
  }
  readonly outcome: 'approve' | 'review' | 'stop'
  /** Instruction for the clerk. */
  readonly text: string
}

export type DecisionRules = {
  /** Number of this version; 0 before the first one. */
  readonly version: number
  /** In order: the first that matches decides. */
  readonly rules: readonly DecisionRule[]
  /** Author of this version; null before the first one. */
  readonly changed_by: {
    readonly kind: 'api_key' | 'application' | 'person' | 'operator' | 'system'
    readonly id: string
    readonly name: string | null
  } | null
  /** When this version was saved; null before the first one. */
  readonly changed_at: string | null
}

export type DecisionRulesTrial = {
  /** Checks on record whose reasons are kept. */
  readonly tried: number
  /** Checks that the rules would decide differently. */
  readonly would_change: number
  readonly by: readonly {
    /** Null: no rule matched. */
    readonly from: ('approve' | 'review' | 'stop') | null
    /** Null: no rule matched. */
    readonly to: ('approve' | 'review' | 'stop') | null
    readonly count: number
  }[]
  /** The newest 20 of them. */
  readonly examples: readonly {
    readonly check_id: string
    readonly asked_at: string
    readonly kind: 'email' | 'domain' | 'ip'
    readonly risk: 'low' | 'medium' | 'high'
    /** Null: no rule matched. */
    readonly from: ('approve' | 'review' | 'stop') | null
    /** Null: no rule matched. */
    readonly to: ('approve' | 'review' | 'stop') | null
    /** The rule that would decide. */
    readonly rule: string | null
  }[]
}

export type DecisionRulesVersion = {
  readonly version: number
  /** Number of rules. */
  readonly rules: number
  /** Author of this version; null before the first one. */
  readonly changed_by: {
    readonly kind: 'api_key' | 'application' | 'person' | 'operator' | 'system'
    readonly id: string
    readonly name: string | null
  } | null
  /** When this version was saved. */
  readonly changed_at: string
}

export type DecisionRulesVersionPage = {
  readonly data: readonly DecisionRulesVersion[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
}

export type Delivery = {
  readonly id: string
  readonly event_id: string
  readonly type: string
  readonly state: 'waiting' | 'delivered' | 'failed'
  /** The last attempts, oldest first. */
  readonly attempts: readonly {
    /** When it was made. */
    readonly at: string
    /** HTTP status; null without an answer. */
    readonly status: number | null
    readonly duration_ms: number
    /** The first characters of the answer. */
    readonly answer: string
    /** Why there was no answer. */
    readonly error: string | null
  }[]
  /** Why the last attempt failed. */
  readonly error: string | null
  /** When the event happened. */
  readonly created_at: string
  /** When it is tried again; null if it is not. */
  readonly next_attempt_at: string | null
}

export type DeliveryPage = {
  readonly data: readonly Delivery[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
}

export type ErasedChecks = {
  readonly erased: number
  /** Entries of own lists that still name the indicator. */
  readonly own_list_entries: number
  /** Entries of own lists that were removed. */
  readonly own_list_entries_erased: number
}

export type Erasure = {
  readonly id: string
  /** When it was requested. */
  readonly requested_at: string
  /** When the waiting time ends; until then it can be cancelled. */
  readonly erased_from: string
  /** When everything was erased; null before. */
  readonly erased_at: string | null
}

export type EventPage = {
  readonly data: readonly AssayEvent[]
  /** True if further events are there already. */
  readonly has_more: boolean
}

/** Facts about a name or an address, each with its time; null if unknown. For an email address, the facts of its domain. */
export type Facts = {
  /** When the name was registered. */
  readonly registered: {
    readonly value: string
    /** When it was seen. */
    readonly seen_at: string
  } | null
  /** When the registration last changed. */
  readonly changed: {
    readonly value: string
    /** When it was seen. */
    readonly seen_at: string
  } | null
  /** When the registration expires unless it is renewed. */
  readonly expires: {
    readonly value: string
    /** When it was seen. */
    readonly seen_at: string
  } | null
  /** The registrar. */
  readonly registrar: {
    readonly value: string
    /** When it was seen. */
    readonly seen_at: string
  } | null
  /** Registry status, such as `active` or `client hold`. */
  readonly status: {
    readonly value: readonly string[]
    /** When it was seen. */
    readonly seen_at: string
  } | null
  /** Mail set-up of the name. */
  readonly mail: {
    readonly value: {
      /** Mail servers, preferred first. Empty: the name cannot receive mail. */
      readonly mx: readonly string[]
      /** True if the name declares that it accepts no mail (RFC 7505). */
      readonly null_mx: boolean
      /** absent: no record. pass: every server may send mail in its name. neutral: no rule for other servers. softfail: mail from other servers is suspicious. fail: mail from other servers should be refused. invalid: two records, or one that cannot be read. unknown: its name servers did not answer. */
      readonly spf: 'absent' | 'pass' | 'neutral' | 'softfail' | 'fail' | 'invalid' | 'unknown'
      /** absent: no record, so anybody can send mail in its name. none: mail that fails the checks is only reported. quarantine: mail that fails the checks is suspicious. reject: mail that fails the checks should be refused. invalid: two records, or one that cannot be read. unknown: its name servers did not answer. */
      readonly dmarc: 'absent' | 'none' | 'quarantine' | 'reject' | 'invalid' | 'unknown'
    }
    /** When it was seen. */
    readonly seen_at: string
  } | null
  /** Name servers of its DNS zone. */
  readonly name_servers: {
    readonly value: readonly string[]
    /** When it was seen. */
    readonly seen_at: string
  } | null
  /** The parking service that serves the name. */
  readonly parked_by: {
    readonly value: string
    /** When it was seen. */
    readonly seen_at: string
  } | null
  /** Addresses of a host and their networks; empty if it has none. For an IP address its own network, known without a look-up: then `seen_at` is the date of the network table. */
  readonly networks: {
    readonly value: readonly {
      readonly address: string
      /** Autonomous system number. */
      readonly asn: number | null
      /** Operator of the network. */
      readonly name: string | null
      /** Country of registration of the network, as two letters (ISO 3166-1). */
      readonly country: string | null
    }[]
    /** When it was seen. */
    readonly seen_at: string
  } | null
  /** The certificate that the host showed on port 443. */
  readonly certificate: {
    readonly value: {
      readonly issuer: string | null
      readonly not_before: string | null
      readonly not_after: string | null
      readonly names: readonly string[]
    }
    /** When it was seen. */
    readonly seen_at: string
  } | null
  /** Reverse DNS names of an IP address. */
  readonly reverse_dns: {
    readonly value: {
      readonly names: readonly string[]
      /** Names that resolve back to the address. */
      readonly confirmed: readonly string[]
    }
    /** When it was seen. */
    readonly seen_at: string
  } | null
}

/** Endpoint family. */
export type Family = 'payment-risk' | 'supply-chain-risk' | 'infrastructure-risk'

export type Intelligence = {
  readonly version: string
  readonly built_at: string
}

/** Only with explain=true, and only for a name or the domain of an email address with letters outside ASCII. */
export type International = {
  /** The name in the DNS, such as `xn--pypal-4ve.com`. */
  readonly ascii: string
  /** The name as a browser may display it. */
  readonly unicode: string
  /** Letters of another alphabet within a word, described in words; null if no word mixes alphabets. */
  readonly mixed: string | null
}

export type Invitation = {
  readonly id: string
  readonly role: Role
  /** Only this address may accept; null: anybody with the link. */
  readonly email: string | null
  /** revoked: withdrawn, or its creator lost the right to invite. */
  readonly state: 'open' | 'accepted' | 'expired' | 'revoked'
  /** When it was created. */
  readonly created_at: string
  /** When it expires. */
  readonly expires_at: string
  /** When it was used. */
  readonly accepted_at: string | null
  readonly accepted_by: string | null
}

export type InvitationOffer = {
  readonly organisation_name: string
  readonly role: Role
  /** The name of the person who made it. */
  readonly inviter: string
  readonly email_bound: boolean
  /** Only this address may accept; null: anybody with the link. */
  readonly email: string | null
  /** True if the address has an account here. Null unless the link was mailed to the address. */
  readonly has_account: boolean | null
  /** When it expires. */
  readonly expires_at: string
}

export type InvitationPage = {
  readonly data: readonly Invitation[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
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

/** An invoice was issued. */
export type InvoiceIssuedEvent = {
  readonly id: string
  readonly type: 'invoice.issued'
  /** When it happened. */
  readonly timestamp: string
  readonly data: {
    /** The invoice. */
    readonly invoice_id: string
    /** Its number. */
    readonly number: string
    /** Its total. */
    readonly total_pence: number
    /** When it is due; null if it is paid in advance. */
    readonly due_at: string | null
    /** The event in one sentence. */
    readonly summary: string
  }
}

/** An invoice was not paid in time. */
export type InvoiceOverdueEvent = {
  readonly id: string
  readonly type: 'invoice.overdue'
  /** When it happened. */
  readonly timestamp: string
  readonly data: {
    /** The invoice. */
    readonly invoice_id: string
    /** Its number. */
    readonly number: string
    /** Its total. */
    readonly total_pence: number
    /** When it is due; null if it is paid in advance. */
    readonly due_at: string | null
    /** The event in one sentence. */
    readonly summary: string
  }
}

export type InvoicePage = {
  readonly data: readonly Invoice[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
}

/** An invoice was paid. */
export type InvoicePaidEvent = {
  readonly id: string
  readonly type: 'invoice.paid'
  /** When it happened. */
  readonly timestamp: string
  readonly data: {
    /** The invoice. */
    readonly invoice_id: string
    /** Its number. */
    readonly number: string
    /** Its total. */
    readonly total_pence: number
    /** The event in one sentence. */
    readonly summary: string
  }
}

/** An API key expires in 14 days, or in 1 day. */
export type KeyExpiringEvent = {
  readonly id: string
  readonly type: 'key.expiring'
  /** When it happened. */
  readonly timestamp: string
  readonly data: {
    /** The key. */
    readonly key_id: string
    /** Its name. */
    readonly name: string
    /** When it expires. */
    readonly expires_at: string
    /** The event in one sentence. */
    readonly summary: string
  }
}

export type Knowledge = {
  /** Lists of threats, of properties, and of known good names and addresses. */
  readonly lists: {
    /** none: no such list is loaded. not_applicable: such lists do not apply to this indicator. */
    readonly status: 'consulted' | 'none' | 'not_applicable'
    /** Number of lists. */
    readonly sources: number
    readonly oldest: string | null
    readonly newest: string | null
    /** Number of threat lists. */
    readonly threat_sources: number
  }
  /** Trained models: of names for email addresses and domains, of networks for IP addresses. */
  readonly model: {
    readonly status: 'consulted' | 'not_applicable'
    /** Release of the model. */
    readonly version: string
  }
  /** Lists of popular sites. */
  readonly popularity: {
    /** none: no such list is loaded. not_applicable: such lists do not apply to this indicator. */
    readonly status: 'consulted' | 'none' | 'not_applicable'
    /** Number of lists. */
    readonly sources: number
    readonly oldest: string | null
    readonly newest: string | null
  }
  /** Facts looked up during the check: registration, mail and servers of a name. */
  readonly live: {
    /** complete: every look-up was answered in time. partial: some were not; a later check may have the rest. off: nothing was looked up, because look-ups are off or not possible. */
    readonly status: 'complete' | 'partial' | 'off'
    /** Why facts were not looked up; absent if all were. server_silent: a resolver or registry does not answer, or asked to wait. zone_limit: the organisation asks about too many names of one zone. zone_silent: the name servers of the domain do not answer. queue_full: too many look-ups of the organisation wait. A later check may have these facts. */
    readonly held_back?: readonly ('queue_full' | 'server_silent' | 'zone_limit' | 'zone_silent')[]
  }
  /** Knowledge of the sources about the indicator. mixed: evidence for and against it, or a listing too weak to raise the level. neutral: a property, neither good nor bad. nothing: no source lists it, so a low score does not mean that it is safe. not_public: a private or reserved address or name, with nothing to check. */
  readonly known: 'good' | 'bad' | 'mixed' | 'neutral' | 'nothing' | 'not_public'
  /** The signal in words; may change. */
  readonly summary: string
}

export type KnownCounterparty = {
  readonly id: string
  readonly name: string
  readonly reference: string | null
  readonly state: 'active' | 'former' | 'blocked'
  readonly since: string | null
  /** All its accounts on record. */
  readonly accounts: readonly BankAccount[]
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

export type LedgerEntryPage = {
  readonly data: readonly LedgerEntry[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
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

/** A member joined. */
export type MemberJoinedEvent = {
  readonly id: string
  readonly type: 'member.joined'
  /** When it happened. */
  readonly timestamp: string
  readonly data: {
    /** The person. */
    readonly member_id: string
    /** Their name. */
    readonly name: string
    /** Their role. */
    readonly role: string
    /** The event in one sentence. */
    readonly summary: string
  }
}

/** A member left or was removed. */
export type MemberLeftEvent = {
  readonly id: string
  readonly type: 'member.left'
  /** When it happened. */
  readonly timestamp: string
  readonly data: {
    /** The person. */
    readonly member_id: string
    /** Their name. */
    readonly name: string
    /** Their role. */
    readonly role: string
    /** The event in one sentence. */
    readonly summary: string
  }
}

export type MemberPage = {
  readonly data: readonly Member[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
}

export type Membership = {
  readonly organisation: {
    readonly id: string
    readonly name: string
  }
  readonly role: Role
}

export type NewApiKey = {
  readonly id: string
  readonly name: string
  /** The first characters of the key, to recognise it. */
  readonly hint: string
  readonly scopes: readonly ('risk:payment' | 'risk:supply-chain' | 'risk:infrastructure' | 'risk:bulk' | 'billing:read' | 'billing:write' | 'organisation:read' | 'organisation:write')[]
  readonly state: 'active' | 'expired' | 'revoked'
  /** When it was created. */
  readonly created_at: string
  /** The person or program that made it; null if that is not known. */
  readonly created_by: {
    readonly kind: 'api_key' | 'application' | 'person' | 'operator' | 'system'
    readonly id: string
    /** Name at that time. */
    readonly name: string | null
  } | null
  /** When it expires. */
  readonly expires_at: string | null
  /** When it was last used, accurate to half a minute. */
  readonly last_used_at: string | null
  /** When it was revoked. */
  readonly revoked_at: string | null
  /** Shown only once. */
  readonly api_key: string
}

export type NewApplication = {
  readonly id: string
  readonly kind: 'service' | 'web' | 'spa' | 'native'
  readonly name: string
  readonly scopes: readonly string[]
  readonly redirect_uris: readonly string[]
  readonly logout_uris: readonly string[]
  /** Privacy policy, linked on the consent page. */
  readonly policy_uri: string | null
  /** Terms of service, linked on the consent page. */
  readonly terms_uri: string | null
  readonly authentication: 'client_secret' | 'private_key_jwt' | 'none'
  /** Public keys; null if there are none, or if they are read from `jwks_uri`. */
  readonly jwks: {
    readonly keys: readonly Readonly<Record<string, unknown>>[]
  } | null
  /** Address of the public keys. */
  readonly jwks_uri: string | null
  /** Until when the former secret is still valid. */
  readonly former_secret_expires_at: string | null
  /** Signature algorithm of its ID tokens. */
  readonly id_token_signed_response_alg: 'RS256' | 'ES256'
  readonly state: 'active' | 'disabled'
  /** When it was registered. */
  readonly created_at: string
  /** The person or program that made it; null if that is not known. */
  readonly created_by: {
    readonly kind: 'api_key' | 'application' | 'person' | 'operator' | 'system'
    readonly id: string
    /** Name at that time. */
    readonly name: string | null
  } | null
  /** When it was last changed. */
  readonly updated_at: string
  /** When it was last used, accurate to half a minute. */
  readonly last_used_at: string | null
  /** Shown only once; null without a secret. */
  readonly client_secret: string | null
}

export type NewCheckout = {
  readonly id: string
  /** pending: the first invoice is unpaid, or the operator must approve the account. */
  readonly state: 'pending' | 'complete'
  readonly organisation_id: string
  readonly plan: string
  /** State of the first invoice. */
  readonly amount_due_pence: number
  /** True if the key was already requested. */
  readonly key_shown: boolean
  /** Shown only once. */
  readonly claim_token: string
  /** True if the server sends mail: the owner can sign in after opening the mailed link. The response is the same for an address that already has an account; then the link adds the organisation to that account. */
  readonly confirm_email: boolean
}

export type NewInvitation = {
  readonly id: string
  readonly role: Role
  /** Only this address may accept; null: anybody with the link. */
  readonly email: string | null
  /** revoked: withdrawn, or its creator lost the right to invite. */
  readonly state: 'open' | 'accepted' | 'expired' | 'revoked'
  /** When it was created. */
  readonly created_at: string
  /** When it expires. */
  readonly expires_at: string
  /** When it was used. */
  readonly accepted_at: string | null
  readonly accepted_by: string | null
  /** Shown only once. */
  readonly link: string
  /** True if the link is mailed to the address; otherwise pass it on yourself. False without an address, without mail on this server, and after too many mails to the address in the last hour. waiting: the mail server accepts no mail at the moment, so the mail is sent later. */
  readonly mailed: boolean | 'waiting'
}

export type NewOwnListEntry = {
  readonly id: string
  readonly list: 'allow' | 'block' | 'review'
  readonly kind: 'email' | 'domain' | 'ip'
  /** In normal form. A domain stands for itself and everything below it; an IP may be a network. */
  readonly indicator: string
  /** Why it is on the list; part of the answer to a check. */
  readonly reason: string | null
  /** When it stops having an effect; null: never. */
  readonly expires_at: string | null
  /** Only active entries have an effect. */
  readonly state: 'active' | 'pending' | 'expired'
  /** How many people still have to approve it. */
  readonly approvals_missing: number
  /** Id of the person who proposed it as it is now: another one must approve it. Null: a program did. */
  readonly proposed_by: string | null
  /** Author of the entry. */
  readonly author: {
    readonly kind: 'api_key' | 'application' | 'person' | 'operator' | 'system'
    readonly id: string
    readonly name: string | null
  }
  /** The second person; null if there was none. */
  readonly approved_by: {
    readonly id: string
    readonly name: string | null
  } | null
  /** When the second person approved it. */
  readonly approved_at: string | null
  /** When it was added. */
  readonly created_at: string
  /** When it was last changed. */
  readonly updated_at: string
  /** Why the entry may be a mistake. It has its effect nevertheless. */
  readonly warnings: readonly {
    readonly code: 'own_domain_blocked' | 'public_mail_allowed' | 'ending_allowed' | 'also_blocked'
    readonly detail: string
  }[]
}

export type NewWebhook = {
  readonly id: string
  /** The https address that gets the events. */
  readonly url: string
  /** The types of events to send. */
  readonly events: readonly ('check.decided' | 'check.review' | 'alert.reached' | 'invoice.issued' | 'invoice.overdue' | 'invoice.paid' | 'credit.low' | 'key.expiring' | 'member.joined' | 'member.left' | 'webhook.disabled')[]
  /** A note for people. */
  readonly description: string
  readonly enabled: boolean
  /** When it was disabled; null while it is enabled. */
  readonly disabled_at: string | null
  /** person: A member disabled it. gone: Its receiver answered 410 Gone. failing: Nothing could be delivered for 5 days. queue: 10000 events waited for it. */
  readonly disabled_why: ('person' | 'gone' | 'failing' | 'queue') | null
  /** The first failure since the last delivery; null while deliveries succeed. */
  readonly failing_since: string | null
  /** When it was created. */
  readonly created_at: string
  /** Verifies signatures. It is shown only now. */
  readonly secret: string
}

export type Organisation = {
  readonly id: string
  readonly name: string
  readonly state: 'active' | 'disabled' | 'inactive'
  /** True if members need a second factor to act here. */
  readonly requires_second_factor: boolean
  /** When members will need a second factor; null without a plan. */
  readonly second_factor_from: string | null
  /** True if an entry of the own allow list has no effect until a second person approves it. */
  readonly allow_needs_approval: boolean
  /** The checks that are kept from now on. off: none. console: checks that people make in the console. all: calls of programs too. */
  readonly history: 'off' | 'console' | 'all'
  /** Days for which a check is kept. */
  readonly history_days: number
  /** True if a decision that lets something pass waits for a second person. */
  readonly decisions_need_two: boolean
  /** When it was created. */
  readonly created_at: string
}

export type OverageLimit = {
  /** null: the limit of the plan. */
  readonly overage_limit_pence: number | null
}

export type OwnDomain = {
  /** The domain, in A-labels. */
  readonly domain: string
  readonly state: 'pending' | 'verified'
  /** The DNS record that proves it. */
  readonly record: {
    readonly type: 'TXT'
    readonly name: string
    readonly value: string
  }
  /** dns: the record. operator: the operator’s word. */
  readonly verified_by: ('dns' | 'operator') | null
  /** When it was proven. */
  readonly verified_at: string | null
  /** When the record was last looked up. */
  readonly checked_at: string | null
  /** Why the last look-up proved nothing; null if it did. */
  readonly finding: string | null
  /** When it was claimed. */
  readonly created_at: string
}

export type OwnDomainPage = {
  readonly data: readonly OwnDomain[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
}

export type OwnListEntry = {
  readonly id: string
  readonly list: 'allow' | 'block' | 'review'
  readonly kind: 'email' | 'domain' | 'ip'
  /** In normal form. A domain stands for itself and everything below it; an IP may be a network. */
  readonly indicator: string
  /** Why it is on the list; part of the answer to a check. */
  readonly reason: string | null
  /** When it stops having an effect; null: never. */
  readonly expires_at: string | null
  /** Only active entries have an effect. */
  readonly state: 'active' | 'pending' | 'expired'
  /** How many people still have to approve it. */
  readonly approvals_missing: number
  /** Id of the person who proposed it as it is now: another one must approve it. Null: a program did. */
  readonly proposed_by: string | null
  /** Author of the entry. */
  readonly author: {
    readonly kind: 'api_key' | 'application' | 'person' | 'operator' | 'system'
    readonly id: string
    readonly name: string | null
  }
  /** The second person; null if there was none. */
  readonly approved_by: {
    readonly id: string
    readonly name: string | null
  } | null
  /** When the second person approved it. */
  readonly approved_at: string | null
  /** When it was added. */
  readonly created_at: string
  /** When it was last changed. */
  readonly updated_at: string
}

export type OwnListEntryPage = {
  readonly data: readonly OwnListEntry[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
}

export type OwnListImport = {
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  /** Of the added and changed ones, those that wait for approval. */
  readonly pending: number
  /** The first 100. */
  readonly warnings: readonly {
    /** Place in `entries`, from 0. */
    readonly entry: number
    readonly code: 'own_domain_blocked' | 'public_mail_allowed' | 'ending_allowed' | 'also_blocked'
    readonly detail: string
  }[]
}

export type Payment = {
  /** Page of the payment provider; null if the operator settles invoices: then read how to pay. */
  readonly url: string | null
}

export type PaymentInstructions = {
  /** True if the invoice can be paid on a page of the payment provider. */
  readonly by_card: boolean
  /** Bank details as the operator wrote them; null if there are none: ask the operator. */
  readonly instructions: string | null
  /** Reference to use for the transfer. */
  readonly reference: string
  /** Amount to pay. */
  readonly amount_pence: number
  /** When it is due. */
  readonly due_at: string
}

export type PendingMembership = {
  readonly confirm_email: true
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

export type PlanChoice = {
  /** Id of the plan. */
  readonly plan: string
  /** now: immediately. when_paid: when its invoice is paid. next_month: with the next month. */
  readonly begins: 'now' | 'when_paid' | 'next_month'
  /** When the next month begins, for plans that begin with it. */
  readonly begins_at: string | null
  /** Amount invoiced immediately; 0 for none. */
  readonly invoice_pence: number
  /** Monthly price from the next month on; 0: free. */
  readonly next_invoice_pence: number
  /** When the next month begins. */
  readonly next_invoice_at: string
}

export type PlanChoices = {
  readonly data: readonly PlanChoice[]
  /** The effect of ending the subscription; null without one to end. */
  readonly ending: SubscriptionEnding | null
}

export type Plans = {
  readonly data: readonly Plan[]
}

/** RFC 9457 problem details. */
export type Problem = {
  /** Address of a page about this problem. */
  readonly type: string
  /** Title of the problem type. */
  readonly title: string
  /** The HTTP status code. */
  readonly status: number
  /** The cause of this error and what to do. */
  readonly detail: string
  /** The request id, as in the header X-Request-Id. */
  readonly instance: string
  /** Stable error code for programs. */
  readonly code: 'malformed_json' | 'ambiguous_credentials' | 'invalid_header' | 'signature_invalid' | 'invalid_query' | 'credentials_missing' | 'api_key_invalid' | 'token_invalid' | 'sign_in_failed' | 'session_missing' | 'credit_exhausted' | 'account_disabled' | 'account_inactive' | 'insufficient_scope' | 'bulk_not_in_plan' | 'second_factor_needed' | 'proof_needed' | 'forbidden' | 'form_outdated' | 'not_found' | 'method_not_allowed' | 'request_in_flight' | 'conflict' | 'precondition_failed' | 'body_too_large' | 'unsupported_media_type' | 'validation_failed' | 'too_many_records' | 'no_records' | 'idempotency_key_reused' | 'precondition_required' | 'rate_limited' | 'headers_too_large' | 'internal' | 'payment_unavailable' | 'upstream_unavailable' | 'overloaded' | 'store_unavailable' | 'shutting_down' | 'maintenance'
  /** For validation: the invalid fields, at most 100. */
  readonly errors?: readonly {
    /** RFC 6901 pointer to the place in the body. */
    readonly pointer: string
    readonly code: string
    readonly detail: string
  }[]
}

export type Quote = {
  readonly family: Family
  readonly records: number
  /** Requests of at most 10,000 records. */
  readonly requests: number
  /** Price of one record. */
  readonly unit_price_pence: number
  /** Records the free allowance covers. */
  readonly free_units: number
  /** Part the credit covers. */
  readonly charged_from_credit_pence: number
  /** Part beyond the credit, if the plan allows it. */
  readonly overage_pence: number
  /** The whole price. */
  readonly total_price_pence: number
  /** Missing amount: requests beyond the credit, or beyond the overage limit, would be refused (402). */
  readonly shortfall_pence: number
  /** Credit left afterwards. */
  readonly remaining_credit_pence: number
  /** True if every request would be answered. */
  readonly covered: boolean
}

export type Receipt = {
  readonly receipt: string
  readonly claims: ReceiptClaims
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

export type ReceiptKeys = {
  readonly keys: readonly {
    readonly kid: string
    readonly kty: string
    readonly crv: string
    readonly x: string
    readonly y: string
    readonly alg: string
    readonly use: string
    readonly key_ops: readonly string[]
  }[]
}

export type ReviewCounts = {
  /** Open reviews that the caller may read; counting stops at 1000. */
  readonly open: number
  /** Those of them that are assigned to the caller. */
  readonly assigned_to_me: number
}

/** low: no significant signal. medium: review before deciding. high: escalate. */
export type Risk = 'low' | 'medium' | 'high'

export type RiskResult = {
  readonly endpoint: 'payment-risk' | 'supply-chain-risk' | 'infrastructure-risk'
  readonly risk: Risk
  /** low 0–29, medium 30–69, high 70–100. */
  readonly risk_score: number
  readonly source_type: 'payment_scan' | 'supply-chain_scan' | 'infrastructure_scan'
  /** The indicator in normal form; an email address only as a digest. */
  readonly target: string
  /** True if money was charged, from credit or as overage. */
  readonly charged: boolean
  /** True if a free allowance or a zero-priced plan covered the whole request. */
  readonly is_free: boolean
  /** Price of one unit, in pence. */
  readonly unit_price_pence: number
  /** Units of this request: one per record. */
  readonly billable_units: number
  /** Total price, in pence. */
  readonly total_price_pence: number
  /** Part taken from credit. */
  readonly charged_from_credit_pence: number
  /** Part beyond credit. */
  readonly overage_pence: number
  /** Credit left after this request. */
  readonly remaining_credit_pence: number
  /** Only with explain=true: every reason, own knowledge first, then the strongest. */
  readonly signals?: readonly Signal[]
  readonly intelligence?: Intelligence
  readonly recommended_action?: 'escalate and verify independently before paying' | 'review payee and payment context' | 'proceed under normal payment controls' | 'escalate supplier for further due diligence' | 'review supplier before onboarding or transacting' | 'proceed under normal supplier controls' | 'escalate for investigation' | 'review infrastructure context and supporting evidence' | 'proceed under normal infrastructure controls'
  /** Only with explain=true: the starting score. Together with the effects of the signals it is `risk_score`. */
  readonly base_score?: number
  readonly coverage?: Knowledge
  readonly facts?: Facts
  /** Only with explain=true, and only if there is one: the real names that this name imitates, such as `paypal.com` or the domain of your counterparty. */
  readonly resembles?: readonly string[]
  readonly international?: International
  readonly counterparty?: CounterpartyRelation
  readonly decision?: Decision
  /** Only with explain=true, and only if the check is kept: its id on record. */
  readonly check_id?: string
  readonly changed_since?: ChangedSince
}

/** owner: everything, including adding owners; admin: everything except adding owners; developer: checks, reads, creates keys and applications; checker: checks, reads usage and counterparties, creates no keys; viewer: reads. */
export type Role = 'owner' | 'admin' | 'developer' | 'checker' | 'viewer'

export type RotatedApiKey = {
  readonly id: string
  readonly name: string
  /** The first characters of the key, to recognise it. */
  readonly hint: string
  readonly scopes: readonly ('risk:payment' | 'risk:supply-chain' | 'risk:infrastructure' | 'risk:bulk' | 'billing:read' | 'billing:write' | 'organisation:read' | 'organisation:write')[]
  readonly state: 'active' | 'expired' | 'revoked'
  /** When it was created. */
  readonly created_at: string
  /** The person or program that made it; null if that is not known. */
  readonly created_by: {
    readonly kind: 'api_key' | 'application' | 'person' | 'operator' | 'system'
    readonly id: string
    /** Name at that time. */
    readonly name: string | null
  } | null
  /** When it expires. */
  readonly expires_at: string | null
  /** When it was last used, accurate to half a minute. */
  readonly last_used_at: string | null
  /** When it was revoked. */
  readonly revoked_at: string | null
  /** Shown only once. */
  readonly api_key: string
  readonly replaces: ApiKey
}

export type Signal = {
  /** Stable code, such as `domain.lookalike`. */
  readonly code: string
  /** The reason in words; may change. */
  readonly description: string
  /** Points that the signal adds to the score: a positive effect raises the risk. `base_score` and all effects add up to `risk_score`. */
  readonly effect: number
  /** Sources of the evidence. */
  readonly source: string
  readonly first_seen: string | null
  readonly last_seen: string | null
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

export type Statement = {
  readonly month: string
  /** `open` until the month ends. */
  readonly state: 'open' | 'closed'
  /** Number of the first ledger entry. */
  readonly first_entry: number | null
  readonly last_entry: number | null
  readonly opening: Balances
  readonly usage: readonly {
    readonly family: Family
    /** Price. */
    readonly unit_price_pence: number
    /** Answered requests. */
    readonly requests: number
    /** Records checked. */
    readonly units: number
    /** Free records included in the units. */
    readonly free_units: number
    readonly charged_from_credit_pence: number
    readonly overage_pence: number
    readonly total_price_pence: number
  }[]
  /** The opening balance and the movements add up to the closing balance. */
  readonly movements: readonly {
    readonly kind: 'grant' | 'expire' | 'charge' | 'credit' | 'plan' | 'refund' | 'settle' | 'reversal'
    readonly entries: number
    /** Sum of the movements. */
    readonly included_delta_pence: number
    /** Sum of the movements. */
    readonly prepaid_delta_pence: number
    /** Sum of the movements. */
    readonly overage_delta_pence: number
  }[]
  readonly closing: Balances
  readonly invoiced: readonly {
    readonly invoice_id: string
    readonly number: number
    readonly state: string
    readonly kind: string
    readonly description: string
    readonly amount_pence: number
  }[]
  /** Price of the plan for the month. */
  readonly plan_price_pence: number
  /** Overage of the month. */
  readonly overage_pence: number
  /** Sum of both. */
  readonly total_due_pence: number
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

export type SubscriptionChange = {
  /** null while the first subscription of an operator-created organisation waits for its payment. */
  readonly subscription: Subscription | null
  readonly invoice: Invoice | null
}

export type SubscriptionEnding = {
  /** When the subscription ends if it is ended with the month; null: it can only end now. */
  readonly ends_at: string | null
  /** Overage that is invoiced immediately if the subscription is ended now. */
  readonly invoice_now_pence: number
}

export type Usage = {
  /** Start of the answered range. */
  readonly from: string
  /** Its end, exclusive. */
  readonly to: string
  readonly granularity: 'hour' | 'day' | 'month'
  readonly data: readonly UsageRow[]
  readonly totals: UsageAmounts
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
}

/** Sums of the whole range, not of this page. */
export type UsageAmounts = {
  /** Answered requests. */
  readonly requests: number
  /** Records checked. */
  readonly units: number
  /** Free records included in the units. */
  readonly free_units: number
  readonly charged_from_credit_pence: number
  readonly overage_pence: number
  readonly total_price_pence: number
}

export type UsageRow = {
  /** Start of the hour, day or month. */
  readonly starts_at: string
  readonly family?: Family
  /** API key, application or person. */
  readonly credential_id?: string
  /** Answered requests. */
  readonly requests: number
  /** Records checked. */
  readonly units: number
  /** Free records included in the units. */
  readonly free_units: number
  readonly charged_from_credit_pence: number
  readonly overage_pence: number
  readonly total_price_pence: number
}

export type Webhook = {
  readonly id: string
  /** The https address that gets the events. */
  readonly url: string
  /** The types of events to send. */
  readonly events: readonly ('check.decided' | 'check.review' | 'alert.reached' | 'invoice.issued' | 'invoice.overdue' | 'invoice.paid' | 'credit.low' | 'key.expiring' | 'member.joined' | 'member.left' | 'webhook.disabled')[]
  /** A note for people. */
  readonly description: string
  readonly enabled: boolean
  /** When it was disabled; null while it is enabled. */
  readonly disabled_at: string | null
  /** person: A member disabled it. gone: Its receiver answered 410 Gone. failing: Nothing could be delivered for 5 days. queue: 10000 events waited for it. */
  readonly disabled_why: ('person' | 'gone' | 'failing' | 'queue') | null
  /** The first failure since the last delivery; null while deliveries succeed. */
  readonly failing_since: string | null
  /** When it was created. */
  readonly created_at: string
}

/** A webhook was disabled after failures. */
export type WebhookDisabledEvent = {
  readonly id: string
  readonly type: 'webhook.disabled'
  /** When it happened. */
  readonly timestamp: string
  readonly data: {
    /** The webhook. */
    readonly webhook_id: string
    /** The host that it calls. */
    readonly host: string
    /** Why it was disabled. */
    readonly reason: string
    /** The event in one sentence. */
    readonly summary: string
  }
}

export type WebhookPage = {
  readonly data: readonly Webhook[]
  /** Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows. */
  readonly next_cursor: string | null
}

/** Every operation of the interface: what it takes and what it answers with. */
export interface Operations {
  /** Check an email address before a payment */
  'POST /v1/payment-risk': {
    path: Record<never, never>
    query: {
      /** true adds the reasons, the consulted sources and the starting score to the response; for a single check also the facts. */
      readonly explain?: boolean
    }
    body: {
      /** local@domain, at most 254 characters; internationalised addresses are accepted. */
      readonly email: string
    }
    response: RiskResult
  }
  /** Check up to 10,000 email addresses */
  'POST /v1/payment-risk/bulk': {
    path: Record<never, never>
    query: {
      /** true adds the reasons, the consulted sources and the starting score to the response; for a single check also the facts. */
      readonly explain?: boolean
    }
    body: {
      readonly emails: readonly string[]
    }
    response: BulkPaymentRiskResult
  }
  /** Check the domain of a supplier */
  'POST /v1/supply-chain-risk': {
    path: Record<never, never>
    query: {
      /** true adds the reasons, the consulted sources and the starting score to the response; for a single check also the facts. */
      readonly explain?: boolean
    }
    body: {
      /** A host name with at least two labels; internationalised names are accepted, and so are suffixes of registries such as gov.uk. No URL, port or IP address. */
      readonly domain: string
    }
    response: RiskResult
  }
  /** Check up to 10,000 domains */
  'POST /v1/supply-chain-risk/bulk': {
    path: Record<never, never>
    query: {
      /** true adds the reasons, the consulted sources and the starting score to the response; for a single check also the facts. */
      readonly explain?: boolean
    }
    body: {
      readonly domains: readonly string[]
    }
    response: BulkSupplyChainRiskResult
  }
  /** Check an IP address */
  'POST /v1/infrastructure-risk': {
    path: Record<never, never>
    query: {
      /** true adds the reasons, the consulted sources and the starting score to the response; for a single check also the facts. */
      readonly explain?: boolean
    }
    body: {
      /** IPv4 dotted quad or any IPv6 text form. No zone, prefix or port. */
      readonly ip: string
    }
    response: RiskResult
  }
  /** Check up to 10,000 IP addresses */
  'POST /v1/infrastructure-risk/bulk': {
    path: Record<never, never>
    query: {
      /** true adds the reasons, the consulted sources and the starting score to the response; for a single check also the facts. */
      readonly explain?: boolean
    }
    body: {
      readonly ips: readonly string[]
    }
    response: BulkInfrastructureRiskResult
  }
  /** List the plans and their prices */
  'GET /v1/plans': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: Plans
  }
  /** Read plan, state, credit and overage */
  'GET /v1/billing': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: Billing
  }
  /** Read the account standing: whether checks are answered, the reason if not, and what to pay */
  'GET /v1/billing/standing': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: Standing
  }
  /** List the plans to choose from, and the effect of choosing each */
  'GET /v1/billing/plans': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: PlanChoices
  }
  /** Change the plan, or end the subscription */
  'POST /v1/billing/subscription': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** Id of the new plan. */
      readonly plan?: string
      /** When to end the subscription, instead of choosing a plan. */
      readonly end?: 'now' | 'period_end'
    }
    response: SubscriptionChange
  }
  /** Buy prepaid credit */
  'POST /v1/billing/top-ups': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** Prepaid credit to buy. */
      readonly amount_pence: number
    }
    response: Invoice
  }
  /** Lower the limit of overage */
  'PUT /v1/billing/overage-limit': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly overage_limit_pence: number | null
    }
    response: OverageLimit
  }
  /** List the entries of the ledger, newest first */
  'GET /v1/billing/ledger': {
    path: Record<never, never>
    query: {
      /** Entries posted at this time or later. A day (UTC midnight) or an RFC 3339 time. */
      readonly from?: string
      /** Entries posted before this time. A day (UTC midnight) or an RFC 3339 time. */
      readonly to?: string
      readonly kind?: 'grant' | 'expire' | 'charge' | 'credit' | 'plan' | 'refund' | 'settle' | 'reversal'
      /** Endpoint family. */
      readonly family?: 'payment-risk' | 'supply-chain-risk' | 'infrastructure-risk'
      /** Entries on a page, fewer if they are very long. As JSON: default 100, at most 1000. As CSV: default and at most 10000. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: LedgerEntryPage
  }
  /** Read usage by hour, day or month */
  'GET /v1/billing/usage': {
    path: Record<never, never>
    query: {
      /** Start; default the first of this month. A day (UTC midnight) or an RFC 3339 time. */
      readonly from?: string
      /** End, exclusive; default now. A day (UTC midnight) or an RFC 3339 time. */
      readonly to?: string
      /** Default: by hour up to 2 days, by day up to 92, by month beyond. */
      readonly granularity?: 'hour' | 'day' | 'month'
      /** Group rows by these; default one row for all. */
      readonly group_by?: 'family' | 'credential' | 'family,credential'
      /** Endpoint family. */
      readonly family?: 'payment-risk' | 'supply-chain-risk' | 'infrastructure-risk'
      readonly credential_id?: string
      /** Rows on a page, fewer if they are very long; default 100. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: Usage
  }
  /** Quote the current price of a number of records */
  'POST /v1/billing/quote': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly family: Family
      /** Number of records to send. */
      readonly records: number
    }
    response: Quote
  }
  /** List the invoices, newest first */
  'GET /v1/billing/invoices': {
    path: Record<never, never>
    query: {
      readonly state?: 'open' | 'paid' | 'void'
      readonly kind?: 'subscription' | 'top_up'
      /** Rows on a page, fewer if they are very long; default 50. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: InvoicePage
  }
  /** Read one invoice */
  'GET /v1/billing/invoices/{invoice_id}': {
    path: {
      /** Id of the invoice. */
      readonly invoice_id: string
    }
    query: Record<never, never>
    body: undefined
    response: Invoice
  }
  /** Cancel an invoice that pays in advance */
  'POST /v1/billing/invoices/{invoice_id}/cancel': {
    path: {
      /** Id of the invoice. */
      readonly invoice_id: string
    }
    query: Record<never, never>
    body: undefined
    response: Invoice
  }
  /** Read the invoice address */
  'GET /v1/billing/details': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: BillingDetails
  }
  /** Set the invoice address */
  'PUT /v1/billing/details': {
    path: Record<never, never>
    query: Record<never, never>
    body: BillingDetails
    response: BillingDetails
  }
  /** Read how to pay an invoice */
  'GET /v1/billing/invoices/{invoice_id}/payment': {
    path: {
      /** Id of the invoice. */
      readonly invoice_id: string
    }
    query: Record<never, never>
    body: undefined
    response: PaymentInstructions
  }
  /** Start paying an invoice */
  'POST /v1/billing/invoices/{invoice_id}/payment': {
    path: {
      /** Id of the invoice. */
      readonly invoice_id: string
    }
    query: Record<never, never>
    body: undefined
    response: Payment
  }
  /** Receive messages of Stripe */
  'POST /v1/webhooks/stripe': {
    path: Record<never, never>
    query: Record<never, never>
    body: Readonly<Record<string, unknown>>
    response: {
      readonly received: boolean
    }
  }
  /** Read the statement of a month */
  'GET /v1/billing/statements/{month}': {
    path: {
      /** Calendar month, UTC: YYYY-MM. */
      readonly month: string
    }
    query: Record<never, never>
    body: undefined
    response: Statement
  }
  /** List the alerts and their state */
  'GET /v1/billing/alerts': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: Alerts
  }
  /** Set an alert on credit or overage */
  'POST /v1/billing/alerts': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly kind: 'credit_below' | 'overage_above'
      readonly threshold_pence: number
    }
    response: Alert
  }
  /** Remove an alert */
  'DELETE /v1/billing/alerts/{alert_id}': {
    path: {
      /** Id of the alert. */
      readonly alert_id: string
    }
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  /** Subscribe: create an organisation, its owner and its subscription */
  'POST /v1/checkout': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly organisation_name: string
      /** Name of the person, who becomes the owner. */
      readonly name: string
      /** Email address for signing in. */
      readonly email: string
      readonly password: string
      readonly plan: string
      /** Prepaid credit to buy at checkout, on plans without a price. */
      readonly top_up_pence?: number
      /** Must be true if the operator has set terms of service. */
      readonly accept_terms?: boolean
    }
    response: NewCheckout
  }
  /** Read the state of a checkout */
  'POST /v1/checkout/{checkout_id}/state': {
    path: {
      /** Id of the checkout. */
      readonly checkout_id: string
    }
    query: Record<never, never>
    body: {
      /** The token from the response that started the checkout. */
      readonly claim_token: string
    }
    response: Checkout
  }
  /** Start paying the first invoice */
  'POST /v1/checkout/{checkout_id}/payment': {
    path: {
      /** Id of the checkout. */
      readonly checkout_id: string
    }
    query: Record<never, never>
    body: {
      /** The token from the response that started the checkout. */
      readonly claim_token: string
    }
    response: Payment
  }
  /** Read how to pay the first invoice */
  'POST /v1/checkout/{checkout_id}/how-to-pay': {
    path: {
      /** Id of the checkout. */
      readonly checkout_id: string
    }
    query: Record<never, never>
    body: {
      /** The token from the response that started the checkout. */
      readonly claim_token: string
    }
    response: PaymentInstructions
  }
  /** Read the API key of a checkout, once */
  'POST /v1/checkout/{checkout_id}/claim': {
    path: {
      /** Id of the checkout. */
      readonly checkout_id: string
    }
    query: Record<never, never>
    body: {
      /** The token from the response that started the checkout. */
      readonly claim_token: string
    }
    response: ClaimedKey
  }
  /** Read the organisation */
  'GET /v1/organisation': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: Organisation
  }
  /** Rename the organisation, or change its settings */
  'PATCH /v1/organisation': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** Name of the organisation. */
      readonly name?: string
      /** True if members need a second factor to act here. */
      readonly requires_second_factor?: boolean
      /** Together with `requires_second_factor`: when members will need one; default: at once. */
      readonly second_factor_from?: string
      /** True if an entry of the own allow list has no effect until a second person approves it. */
      readonly allow_needs_approval?: boolean
      /** The checks that are kept from now on. off: none. console: checks that people make in the console. all: calls of programs too. */
      readonly history?: 'off' | 'console' | 'all'
      /** Days for which a check is kept. */
      readonly history_days?: number
      /** True if a decision that lets something pass waits for a second person. */
      readonly decisions_need_two?: boolean
    }
    response: Organisation
  }
  /** List the members */
  'GET /v1/organisation/members': {
    path: Record<never, never>
    query: {
      /** Rows on a page, fewer if they are very long; default 50. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: MemberPage
  }
  /** Read one member */
  'GET /v1/organisation/members/{member_id}': {
    path: {
      /** Id of the person. */
      readonly member_id: string
    }
    query: Record<never, never>
    body: undefined
    response: Member
  }
  /** Change the role of a member */
  'PATCH /v1/organisation/members/{member_id}': {
    path: {
      /** Id of the person. */
      readonly member_id: string
    }
    query: Record<never, never>
    body: {
      readonly role: Role
    }
    response: Member
  }
  /** Remove a member, or leave */
  'DELETE /v1/organisation/members/{member_id}': {
    path: {
      /** Id of the person. */
      readonly member_id: string
    }
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  /** List the consents of members to applications */
  'GET /v1/organisation/consents': {
    path: Record<never, never>
    query: {
      /** Rows on a page, fewer if they are very long; default 50. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: ConsentPage
  }
  /** Withdraw the consent of a member to an application */
  'DELETE /v1/organisation/consents/{consent_id}': {
    path: {
      /** Id of the consent. */
      readonly consent_id: string
    }
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  /** List the invitations */
  'GET /v1/organisation/invitations': {
    path: Record<never, never>
    query: {
      /** Rows on a page, fewer if they are very long; default 50. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: InvitationPage
  }
  /** Create an invitation link */
  'POST /v1/organisation/invitations': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly role: Role
      readonly email?: string
      /** Default 7. */
      readonly expires_in_days?: number
    }
    response: NewInvitation
  }
  /** Withdraw an invitation */
  'DELETE /v1/organisation/invitations/{invitation_id}': {
    path: {
      /** Id of the invitation. */
      readonly invitation_id: string
    }
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  /** Read an invitation */
  'POST /v1/invitations/lookup': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** The part of the link after #. */
      readonly token: string
    }
    response: InvitationOffer
  }
  /** Accept an invitation */
  'POST /v1/invitations/accept': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** The part of the link after #. */
      readonly token: string
      readonly email?: string
      /** Name of the person. */
      readonly name?: string
      readonly password?: string
      /** Must be true if the operator has set terms of service. */
      readonly accept_terms?: boolean
    }
    response: Membership | PendingMembership
  }
  /** Ask for a new invitation */
  'POST /v1/invitations/ask': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** The part of the link after #. */
      readonly token: string
    }
    response: AskedInvitation
  }
  /** List the API keys */
  'GET /v1/organisation/keys': {
    path: Record<never, never>
    query: {
      /** Rows on a page, fewer if they are very long; default 50. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: ApiKeyPage
  }
  /** Create an API key */
  'POST /v1/organisation/keys': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** Purpose of the key. */
      readonly name: string
      /** Default: those of the four risk scopes that you have. */
      readonly scopes?: readonly ('risk:payment' | 'risk:supply-chain' | 'risk:infrastructure' | 'risk:bulk' | 'billing:read' | 'billing:write' | 'organisation:read' | 'organisation:write')[]
      /** When it expires; null: never. */
      readonly expires_at?: string | null
    }
    response: NewApiKey
  }
  /** Read one API key */
  'GET /v1/organisation/keys/{key_id}': {
    path: {
      /** Id of the key. */
      readonly key_id: string
    }
    query: Record<never, never>
    body: undefined
    response: ApiKey
  }
  /** Rename an API key, restrict it, or set its expiry */
  'PATCH /v1/organisation/keys/{key_id}': {
    path: {
      /** Id of the key. */
      readonly key_id: string
    }
    query: Record<never, never>
    body: {
      /** Purpose of the key. */
      readonly name?: string
      /** Default: those of the four risk scopes that you have. */
      readonly scopes?: readonly ('risk:payment' | 'risk:supply-chain' | 'risk:infrastructure' | 'risk:bulk' | 'billing:read' | 'billing:write' | 'organisation:read' | 'organisation:write')[]
      /** When it expires; null: never. */
      readonly expires_at?: string | null
    }
    response: ApiKey
  }
  /** Revoke an API key */
  'DELETE /v1/organisation/keys/{key_id}': {
    path: {
      /** Id of the key. */
      readonly key_id: string
    }
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  /** Replace an API key */
  'POST /v1/organisation/keys/{key_id}/rotate': {
    path: {
      /** Id of the key. */
      readonly key_id: string
    }
    query: Record<never, never>
    body: {
      /** Hours the old key stays valid; default 24. */
      readonly grace_hours?: number
    }
    response: RotatedApiKey
  }
  /** List the applications */
  'GET /v1/organisation/clients': {
    path: Record<never, never>
    query: {
      /** Rows on a page, fewer if they are very long; default 50. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: ApplicationPage
  }
  /** Register an application */
  'POST /v1/organisation/clients': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly kind: 'service' | 'web' | 'spa' | 'native'
      /** Name on the consent page. */
      readonly name: string
      readonly scopes: readonly string[]
      readonly redirect_uris?: readonly string[]
      readonly logout_uris?: readonly string[]
      /** Privacy policy: https. Linked on the consent page. */
      readonly policy_uri?: string | null
      /** Terms of service: https. Linked on the consent page. */
      readonly terms_uri?: string | null
      /** Public keys: the application authenticates by its own key instead of a secret. */
      readonly jwks?: {
        readonly keys: readonly Readonly<Record<string, unknown>>[]
      }
      /** Address of the public keys, instead of `jwks`: https on the public internet, without redirects. */
      readonly jwks_uri?: string
      /** Signature algorithm of its ID tokens; default RS256. */
      readonly id_token_signed_response_alg?: 'RS256' | 'ES256'
    }
    response: NewApplication
  }
  /** Read one application */
  'GET /v1/organisation/clients/{client_id}': {
    path: {
      /** Id of the application. */
      readonly client_id: string
    }
    query: Record<never, never>
    body: undefined
    response: Application
  }
  /** Change an application, or disable it */
  'PATCH /v1/organisation/clients/{client_id}': {
    path: {
      /** Id of the application. */
      readonly client_id: string
    }
    query: Record<never, never>
    body: {
      /** Name on the consent page. */
      readonly name?: string
      readonly scopes?: readonly string[]
      readonly redirect_uris?: readonly string[]
      readonly logout_uris?: readonly string[]
      /** Privacy policy: https. Linked on the consent page. */
      readonly policy_uri?: string | null
      /** Terms of service: https. Linked on the consent page. */
      readonly terms_uri?: string | null
      /** Public keys: the application authenticates by its own key instead of a secret. */
      readonly jwks?: {
        readonly keys: readonly Readonly<Record<string, unknown>>[]
      }
      /** Address of the public keys, instead of `jwks`: https on the public internet, without redirects. */
      readonly jwks_uri?: string
      /** Signature algorithm of its ID tokens; default RS256. */
      readonly id_token_signed_response_alg?: 'RS256' | 'ES256'
      readonly state?: 'active' | 'disabled'
    }
    response: Application
  }
  /** Delete an application and all its tokens */
  'DELETE /v1/organisation/clients/{client_id}': {
    path: {
      /** Id of the application. */
      readonly client_id: string
    }
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  /** Create a new secret for an application */
  'POST /v1/organisation/clients/{client_id}/rotate-secret': {
    path: {
      /** Id of the application. */
      readonly client_id: string
    }
    query: {
      /** Hours the former secret stays valid; default 24, 0: it ends immediately. */
      readonly grace_hours?: number
      /** True: the former secret and all access and refresh tokens of the application end immediately. Not together with `grace_hours`. */
      readonly end_tokens?: boolean
    }
    body: undefined
    response: NewApplication
  }
  /** End the former secret of an application immediately */
  'DELETE /v1/organisation/clients/{client_id}/former-secret': {
    path: {
      /** Id of the application. */
      readonly client_id: string
    }
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  /** List the audit log, newest first */
  'GET /v1/organisation/audit': {
    path: Record<never, never>
    query: {
      /** One action, or all actions on one type of thing with a dot at the end: `key.` */
      readonly action?: 'backup.' | 'ledger.' | 'oauth.' | 'receipts.' | 'secret.' | 'maintenance.' | 'organisation.' | 'erasure.' | 'member.' | 'person.' | 'session.' | 'factor.' | 'grant.' | 'invitation.' | 'key.' | 'client.' | 'counterparty.' | 'webhook.' | 'checkout.' | 'subscription.' | 'credit.' | 'plan.' | 'limit.' | 'details.' | 'payment.' | 'top_up.' | 'alert.' | 'invoice.' | 'account.' | 'own_list.' | 'decision_rules.' | 'check.' | 'domain.' | 'backup.create' | 'backup.restore' | 'ledger.archive' | 'ledger.restore' | 'oauth.rotate_keys' | 'receipts.rotate_key' | 'secret.rotate' | 'secret.finish' | 'maintenance.begin' | 'maintenance.end' | 'organisation.create' | 'organisation.update' | 'organisation.disable' | 'organisation.enable' | 'organisation.deactivate' | 'organisation.activate' | 'organisation.approve' | 'organisation.erase' | 'erasure.ask' | 'erasure.cancel' | 'member.join' | 'member.update' | 'member.remove' | 'person.disable' | 'person.enable' | 'person.password' | 'person.rename' | 'person.email' | 'person.delete' | 'person.verify' | 'person.operator' | 'session.begin' | 'session.fail' | 'session.end' | 'factor.add' | 'factor.remove' | 'factor.recovery' | 'organisation.second_factor' | 'grant.create' | 'grant.withdraw' | 'grant.reuse' | 'invitation.create' | 'invitation.revoke' | 'invitation.ask' | 'key.create' | 'key.update' | 'key.rotate' | 'key.revoke' | 'client.create' | 'client.update' | 'client.rotate_secret' | 'client.delete' | 'counterparty.create' | 'counterparty.update' | 'counterparty.delete' | 'counterparty.import' | 'counterparty.undo' | 'webhook.create' | 'webhook.update' | 'webhook.rotate_secret' | 'webhook.delete' | 'checkout.complete' | 'subscription.change' | 'subscription.end' | 'subscription.resume' | 'subscription.given' | 'credit.add' | 'plan.set' | 'limit.set' | 'details.update' | 'payment.credited' | 'payment.unmatched' | 'payment.refund' | 'payment.dispute' | 'top_up.create' | 'alert.create' | 'alert.delete' | 'invoice.issue' | 'invoice.settle' | 'invoice.void' | 'account.inactive' | 'account.active' | 'organisation.allow_approval' | 'organisation.decision_approval' | 'organisation.history' | 'own_list.add' | 'own_list.update' | 'own_list.approve' | 'own_list.remove' | 'own_list.import' | 'decision_rules.update' | 'check.decide' | 'check.review' | 'check.feedback' | 'domain.add' | 'domain.verify' | 'domain.lose' | 'domain.remove' | 'check.erase'
      /** Id of a person, key or application, or a type of actor: api_key, application, person, operator, system. */
      readonly actor?: string
      /** Entries at or after this time. A day (UTC midnight) or an RFC 3339 time. */
      readonly from?: string
      /** Entries before this time. A day (UTC midnight) or an RFC 3339 time. */
      readonly to?: string
      /** Entries on a page, fewer if they are very long. As JSON: default 100, at most 1000. As CSV: default and at most 10000. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: AuditEntryPage
  }
  /** List the counterparties, oldest first */
  'GET /v1/counterparties': {
    path: Record<never, never>
    query: {
      /** Beginnings of words of the name, the reference, a domain or an email address. */
      readonly search?: string
      /** Entries on a page, fewer if they are very long. As JSON: default 100, at most 1000. As CSV: default and at most 10000. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: CounterpartyPage
  }
  /** Add a counterparty */
  'POST /v1/counterparties': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** Name of the counterparty. */
      readonly name: string
      /** Its number in your own books; unique. */
      readonly reference?: string | null
      /** Default `active`. */
      readonly state?: 'active' | 'former' | 'blocked'
      /** Domains of the counterparty alone. Default: the domains of its email addresses, except public mail providers. */
      readonly domains?: readonly string[]
      /** Email addresses, also those at public mail providers. */
      readonly emails?: readonly string[]
      /** IP addresses and networks, as in 192.0.2.0/24. */
      readonly networks?: readonly string[]
      /** Bank accounts: an IBAN, a UK sort code and account number (20-00-00 55779911), or a US routing and account number (021000021 123456789). The list replaces the former one; `…4417` keeps the account on record that ends so. */
      readonly accounts?: readonly string[]
      /** A year (2019) or a day (2019-04-01). */
      readonly since?: string | null
      /** A note for your colleagues. */
      readonly note?: string | null
    }
    response: CounterpartyWithRemarks
  }
  /** Read one counterparty */
  'GET /v1/counterparties/{counterparty_id}': {
    path: {
      /** Id of the counterparty. */
      readonly counterparty_id: string
    }
    query: Record<never, never>
    body: undefined
    response: CounterpartyWithRemarks
  }
  /** Change a counterparty */
  'PATCH /v1/counterparties/{counterparty_id}': {
    path: {
      /** Id of the counterparty. */
      readonly counterparty_id: string
    }
    query: Record<never, never>
    body: {
      /** Name of the counterparty. */
      readonly name?: string
      /** Its number in your own books; unique. */
      readonly reference?: string | null
      /** Default `active`. */
      readonly state?: 'active' | 'former' | 'blocked'
      /** Domains of the counterparty alone. Default: the domains of its email addresses, except public mail providers. */
      readonly domains?: readonly string[]
      /** Email addresses, also those at public mail providers. */
      readonly emails?: readonly string[]
      /** IP addresses and networks, as in 192.0.2.0/24. */
      readonly networks?: readonly string[]
      /** Bank accounts: an IBAN, a UK sort code and account number (20-00-00 55779911), or a US routing and account number (021000021 123456789). The list replaces the former one; `…4417` keeps the account on record that ends so. */
      readonly accounts?: readonly string[]
      /** A year (2019) or a day (2019-04-01). */
      readonly since?: string | null
      /** A note for your colleagues. */
      readonly note?: string | null
    }
    response: CounterpartyWithRemarks
  }
  /** Delete a counterparty */
  'DELETE /v1/counterparties/{counterparty_id}': {
    path: {
      /** Id of the counterparty. */
      readonly counterparty_id: string
    }
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  /** Add or change the counterparty with a reference */
  'PUT /v1/counterparties/by-reference/{reference}': {
    path: {
      /** The number of the counterparty in your own books. */
      readonly reference: string
    }
    query: Record<never, never>
    body: {
      /** Name of the counterparty. */
      readonly name: string
      /** Default `active`. */
      readonly state?: 'active' | 'former' | 'blocked'
      /** Domains of the counterparty alone. Default: the domains of its email addresses, except public mail providers. */
      readonly domains?: readonly string[]
      /** Email addresses, also those at public mail providers. */
      readonly emails?: readonly string[]
      /** IP addresses and networks, as in 192.0.2.0/24. */
      readonly networks?: readonly string[]
      /** Bank accounts: an IBAN, a UK sort code and account number (20-00-00 55779911), or a US routing and account number (021000021 123456789). The list replaces the former one; `…4417` keeps the account on record that ends so. */
      readonly accounts?: readonly string[]
      /** A year (2019) or a day (2019-04-01). */
      readonly since?: string | null
      /** A note for your colleagues. */
      readonly note?: string | null
    }
    response: CounterpartyWithRemarks
  }
  /** List the imports, newest first */
  'GET /v1/counterparties/imports': {
    path: Record<never, never>
    query: {
      /** Rows on a page, fewer if they are very long; default 50. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: CounterpartyImportPage
  }
  /** Begin an import of counterparties */
  'POST /v1/counterparties/imports': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** Rows of the file. */
      readonly rows: number
      readonly file_name?: string
      /** The columns of the file: an export has the same. */
      readonly columns?: readonly {
        readonly title: string
        /** Null: the column is not used. */
        readonly field: ('name' | 'reference' | 'since' | 'note' | 'state' | 'domains' | 'emails' | 'networks' | 'accounts') | null
      }[]
      /** How the file is written: an export has the same. */
      readonly format?: {
        /** Default a comma. */
        readonly separator?: ',' | ';' | '	' | '|'
        /** Default `yyyy-mm-dd`. */
        readonly days?: 'yyyy-mm-dd' | 'dd.mm.yyyy'
      }
      /** Treatment of counterparties that are not in the file; default `keep`. */
      readonly gone?: 'keep' | 'former' | 'delete'
      /** Rows with an error: `refuse` the whole import (default), or `skip` these rows. */
      readonly invalid_rows?: 'refuse' | 'skip'
    }
    response: CounterpartyImport
  }
  /** Read one import */
  'GET /v1/counterparties/imports/{import_id}': {
    path: {
      /** Id of the import. */
      readonly import_id: string
    }
    query: Record<never, never>
    body: undefined
    response: CounterpartyImport
  }
  /** Discard an import that was not applied */
  'DELETE /v1/counterparties/imports/{import_id}': {
    path: {
      /** Id of the import. */
      readonly import_id: string
    }
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  /** List the differences of an import */
  'GET /v1/counterparties/imports/{import_id}/differences': {
    path: {
      /** Id of the import. */
      readonly import_id: string
    }
    query: {
      /** Default `new`. */
      readonly difference?: 'new' | 'changed' | 'gone'
      /** Entries on a page, fewer if they are very long. As JSON: default 100, at most 1000. As CSV: default and at most 10000. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: CounterpartyDifferencePage
  }
  /** List the remarks about the rows of an import */
  'GET /v1/counterparties/imports/{import_id}/remarks': {
    path: {
      /** Id of the import. */
      readonly import_id: string
    }
    query: {
      /** Entries on a page, fewer if they are very long. As JSON: default 100, at most 1000. As CSV: default and at most 10000. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: CounterpartyImportRemarksPage
  }
  /** Send rows of the file */
  'POST /v1/counterparties/imports/{import_id}/rows': {
    path: {
      /** Id of the import. */
      readonly import_id: string
    }
    query: Record<never, never>
    body: {
      readonly rows: readonly {
        /** Number of the row in the file. */
        readonly row: number
        readonly name?: string
        /** Its number in your own books. */
        readonly reference?: string | null
        readonly state?: string
        /** Domains of the counterparty alone. Default: the domains of its email addresses, except public mail providers. */
        readonly domains?: readonly string[]
        /** Email addresses, also those at public mail providers. */
        readonly emails?: readonly string[]
        /** IP addresses and networks, as in 192.0.2.0/24. */
        readonly networks?: readonly string[]
        /** Bank accounts: an IBAN, a UK sort code and account number (20-00-00 55779911), or a US routing and account number (021000021 123456789). The list replaces the former one; `…4417` keeps the account on record that ends so. */
        readonly accounts?: readonly string[]
        /** A year (2019) or a day (2019-04-01). */
        readonly since?: string | null
        /** A note for your colleagues. */
        readonly note?: string | null
      }[]
    }
    response: CounterpartyImportPart
  }
  /** Apply an import */
  'POST /v1/counterparties/imports/{import_id}/apply': {
    path: {
      /** Id of the import. */
      readonly import_id: string
    }
    query: Record<never, never>
    body: undefined
    response: CounterpartyImport
  }
  /** Undo the last import */
  'POST /v1/counterparties/imports/{import_id}/undo': {
    path: {
      /** Id of the import. */
      readonly import_id: string
    }
    query: Record<never, never>
    body: {
      /** Lose changes that were made after the import. */
      readonly discard_changes?: boolean
    }
    response: CounterpartyImport
  }
  /** Compare a bank account or a name with the counterparties */
  'POST /v1/payments/compare': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** Address from which the account came. */
      readonly email?: string
      /** Domain from which the account came. */
      readonly domain?: string
      /** A bank account: an IBAN, a UK sort code and account number (20-00-00 55779911), or a US routing and account number (021000021 123456789). */
      readonly account?: string
      /** The name that the sender of a mail shows. */
      readonly name?: string
    }
    response: AccountComparison
  }
  /** List the entries of an own list, oldest first */
  'GET /v1/own-lists/{list}': {
    path: {
      /** One of `allow`, `block` and `review`. */
      readonly list: string
    }
    query: {
      /** Part of the indicator or the reason. */
      readonly search?: string
      readonly state?: 'active' | 'pending' | 'expired'
      /** Entries on a page, fewer if they are very long. As JSON: default 100, at most 1000. As CSV: default and at most 10000. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: OwnListEntryPage
  }
  /** Add an entry to an own list */
  'POST /v1/own-lists/{list}': {
    path: {
      /** One of `allow`, `block` and `review`. */
      readonly list: string
    }
    query: Record<never, never>
    body: {
      /** An email address, a domain (with everything below it), an ending such as `zip`, an IP address or a network such as `192.0.2.0/24`. */
      readonly indicator: string
      /** Why it is on the list, on one line. */
      readonly reason?: string | null
      /** When it stops having an effect; null: never. */
      readonly expires_at?: string | null
    }
    response: NewOwnListEntry
  }
  /** Read one entry of an own list */
  'GET /v1/own-lists/{list}/{entry_id}': {
    path: {
      /** One of `allow`, `block` and `review`. */
      readonly list: string
      /** Id of the entry. */
      readonly entry_id: string
    }
    query: Record<never, never>
    body: undefined
    response: OwnListEntry
  }
  /** Change the reason or the expiry of an entry */
  'PATCH /v1/own-lists/{list}/{entry_id}': {
    path: {
      /** One of `allow`, `block` and `review`. */
      readonly list: string
      /** Id of the entry. */
      readonly entry_id: string
    }
    query: Record<never, never>
    body: {
      /** Why it is on the list, on one line. */
      readonly reason?: string | null
      /** When it stops having an effect; null: never. */
      readonly expires_at?: string | null
    }
    response: OwnListEntry
  }
  /** Remove an entry from an own list */
  'DELETE /v1/own-lists/{list}/{entry_id}': {
    path: {
      /** One of `allow`, `block` and `review`. */
      readonly list: string
      /** Id of the entry. */
      readonly entry_id: string
    }
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  /** Approve a pending entry */
  'POST /v1/own-lists/{list}/{entry_id}/approve': {
    path: {
      /** One of `allow`, `block` and `review`. */
      readonly list: string
      /** Id of the entry. */
      readonly entry_id: string
    }
    query: Record<never, never>
    body: undefined
    response: OwnListEntry
  }
  /** Add or change many entries of an own list */
  'POST /v1/own-lists/{list}/imports': {
    path: {
      /** One of `allow`, `block` and `review`. */
      readonly list: string
    }
    query: Record<never, never>
    body: {
      readonly entries: readonly {
        /** As for one entry. */
        readonly indicator: string
        /** As for one entry. */
        readonly reason?: string | null
        /** As for one entry. */
        readonly expires_at?: string | null
      }[]
    }
    response: OwnListImport
  }
  /** Read the decision rules */
  'GET /v1/decision-rules': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: DecisionRules
  }
  /** Replace the decision rules */
  'PUT /v1/decision-rules': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly rules: readonly DecisionRule[]
    }
    response: DecisionRules
  }
  /** List the versions of the decision rules */
  'GET /v1/decision-rules/versions': {
    path: Record<never, never>
    query: {
      /** Rows on a page, fewer if they are very long; default 50. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: DecisionRulesVersionPage
  }
  /** Read one version of the decision rules */
  'GET /v1/decision-rules/versions/{version}': {
    path: {
      /** Number of the version. */
      readonly version: string
    }
    query: Record<never, never>
    body: undefined
    response: DecisionRules
  }
  /** List the own domains */
  'GET /v1/organisation/domains': {
    path: Record<never, never>
    query: {
      /** Rows on a page, fewer if they are very long; default 50. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: OwnDomainPage
  }
  /** Claim a domain as your own */
  'POST /v1/organisation/domains': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly domain: string
    }
    response: OwnDomain
  }
  /** Read one own domain */
  'GET /v1/organisation/domains/{domain}': {
    path: {
      /** The domain, as in the list. */
      readonly domain: string
    }
    query: Record<never, never>
    body: undefined
    response: OwnDomain
  }
  /** Remove an own domain */
  'DELETE /v1/organisation/domains/{domain}': {
    path: {
      /** The domain, as in the list. */
      readonly domain: string
    }
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  /** Look up the record of a claimed domain */
  'POST /v1/organisation/domains/{domain}/verify': {
    path: {
      /** The domain, as in the list. */
      readonly domain: string
    }
    query: Record<never, never>
    body: undefined
    response: OwnDomain
  }
  /** List the checks on record, newest first */
  'GET /v1/checks': {
    path: Record<never, never>
    query: {
      /** An email address, a domain or an IP address. The whole indicator: a part of it is not found. */
      readonly indicator?: string
      readonly kind?: 'email' | 'domain' | 'ip'
      readonly risk?: 'low' | 'medium' | 'high'
      /** Checks asked at this time or later. A day (UTC midnight) or an RFC 3339 time. */
      readonly from?: string
      /** Checks asked before this time. A day (UTC midnight) or an RFC 3339 time. */
      readonly to?: string
      /** Id of a person, key or application; `me` for the caller. */
      readonly asked_by?: string
      /** The request that asked, as in the ledger; for a list, all its records. */
      readonly request_id?: string
      readonly decision?: 'approved' | 'stopped' | 'false_alarm' | 'review'
      readonly review?: 'open' | 'done'
      /** Id of a person; `me` for the caller. */
      readonly assigned_to?: string
      /** Entries on a page, fewer if they are very long. As JSON: default 100, at most 1000. As CSV: default and at most 10000. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: CheckPage
  }
  /** Read a check on record, with its answer */
  'GET /v1/checks/{check_id}': {
    path: {
      /** Id of the check. */
      readonly check_id: string
    }
    query: Record<never, never>
    body: undefined
    response: CheckWithAnswer
  }
  /** Erase checks from the history */
  'POST /v1/checks/erase': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** As in the search. */
      readonly indicator: string
      /** Also remove the entries of own lists that name it, which ends their effect. */
      readonly own_lists?: boolean
    } | {
      /** Id of a person. */
      readonly person: string
    } | {
      readonly all: true
    }
    response: ErasedChecks
  }
  /** Decide about a check */
  'PUT /v1/checks/{check_id}/decision': {
    path: {
      /** Id of the check. */
      readonly check_id: string
    }
    query: Record<never, never>
    body: {
      readonly decision: 'approved' | 'stopped' | 'false_alarm' | 'review'
      /** How it was verified. The note of a second person is put below the first one. */
      readonly note?: string | null
      /** The steps that were taken. */
      readonly steps?: readonly string[]
    }
    response: Check
  }
  /** Put a check on the work list, and assign it */
  'PUT /v1/checks/{check_id}/review': {
    path: {
      /** Id of the check. */
      readonly check_id: string
    }
    query: Record<never, never>
    body: {
      /** A member who may read the check; null: anybody. */
      readonly assigned_to: string | null
    }
    response: Check
  }
  /** Report an answer as wrong */
  'PUT /v1/checks/{check_id}/feedback': {
    path: {
      /** Id of the check. */
      readonly check_id: string
    }
    query: Record<never, never>
    body: {
      readonly wrong: 'too_high' | 'too_low'
      readonly reason: string
      readonly own_list?: ('allow' | 'block' | 'review') | null
    }
    response: Check
  }
  /** Count the open reviews */
  'GET /v1/reviews': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: ReviewCounts
  }
  /** Read the receipt of a check */
  'GET /v1/checks/{check_id}/receipt': {
    path: {
      /** Id of the check. */
      readonly check_id: string
    }
    query: Record<never, never>
    body: undefined
    response: Receipt
  }
  /** Read the evidence of a check as PDF, with its receipt as a QR code */
  'GET /v1/checks/{check_id}/evidence.pdf': {
    path: {
      /** Id of the check. */
      readonly check_id: string
    }
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  /** Try decision rules on the checks on record */
  'POST /v1/decision-rules/trial': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      readonly rules: readonly DecisionRule[]
    }
    response: DecisionRulesTrial
  }
  /** Read the keys that verify receipts */
  'GET /v1/receipts/keys': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: ReceiptKeys
  }
  /** Read events */
  'GET /v1/events': {
    path: Record<never, never>
    query: {
      /** Id of the last event that was read. Default: from the oldest event. */
      readonly after?: string
      /** Events on a page; default 50. */
      readonly limit?: number
    }
    body: undefined
    response: EventPage
  }
  /** Download everything of the organisation as one archive */
  'GET /v1/organisation/export': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  /** Read the request to erase the organisation */
  'GET /v1/organisation/erasure': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: Erasure
  }
  /** Ask to erase the organisation with everything in it */
  'POST /v1/organisation/erasure': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: Erasure
  }
  /** Cancel the request to erase the organisation */
  'DELETE /v1/organisation/erasure': {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  /** List webhooks */
  'GET /v1/webhooks': {
    path: Record<never, never>
    query: {
      /** Rows on a page, fewer if they are very long; default 50. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: WebhookPage
  }
  /** Create a webhook */
  'POST /v1/webhooks': {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      /** The https address that gets the events. */
      readonly url: string
      /** The types of events to send. */
      readonly events: readonly ('check.decided' | 'check.review' | 'alert.reached' | 'invoice.issued' | 'invoice.overdue' | 'invoice.paid' | 'credit.low' | 'key.expiring' | 'member.joined' | 'member.left' | 'webhook.disabled')[]
      /** A note for people. */
      readonly description?: string
    }
    response: NewWebhook
  }
  /** Read one webhook */
  'GET /v1/webhooks/{webhook_id}': {
    path: {
      /** Id of the webhook. */
      readonly webhook_id: string
    }
    query: Record<never, never>
    body: undefined
    response: Webhook
  }
  /** Change, disable or enable a webhook */
  'PATCH /v1/webhooks/{webhook_id}': {
    path: {
      /** Id of the webhook. */
      readonly webhook_id: string
    }
    query: Record<never, never>
    body: {
      /** The https address that gets the events. */
      readonly url?: string
      /** The types of events to send. */
      readonly events?: readonly ('check.decided' | 'check.review' | 'alert.reached' | 'invoice.issued' | 'invoice.overdue' | 'invoice.paid' | 'credit.low' | 'key.expiring' | 'member.joined' | 'member.left' | 'webhook.disabled')[]
      /** A note for people. */
      readonly description?: string
      readonly enabled?: boolean
    }
    response: Webhook
  }
  /** Delete a webhook */
  'DELETE /v1/webhooks/{webhook_id}': {
    path: {
      /** Id of the webhook. */
      readonly webhook_id: string
    }
    query: Record<never, never>
    body: undefined
    response: undefined
  }
  /** Replace the secret of a webhook */
  'POST /v1/webhooks/{webhook_id}/rotate-secret': {
    path: {
      /** Id of the webhook. */
      readonly webhook_id: string
    }
    query: Record<never, never>
    body: undefined
    response: NewWebhook
  }
  /** Send a test to a webhook */
  'POST /v1/webhooks/{webhook_id}/test': {
    path: {
      /** Id of the webhook. */
      readonly webhook_id: string
    }
    query: Record<never, never>
    body: undefined
    response: Delivery
  }
  /** List the deliveries of a webhook */
  'GET /v1/webhooks/{webhook_id}/deliveries': {
    path: {
      /** Id of the webhook. */
      readonly webhook_id: string
    }
    query: {
      /** Rows on a page, fewer if they are very long; default 50. */
      readonly limit?: number
      /** Start of the page: `next_cursor` of the previous page. */
      readonly cursor?: string
    }
    body: undefined
    response: DeliveryPage
  }
  /** Deliver events again */
  'POST /v1/webhooks/{webhook_id}/replay': {
    path: {
      /** Id of the webhook. */
      readonly webhook_id: string
    }
    query: Record<never, never>
    body: {
      /** One delivery. */
      readonly delivery_id?: string
      /** Failed deliveries since a day (UTC midnight) or an RFC 3339 time. */
      readonly since?: string
    }
    response: {
      readonly replayed: number
    }
  }
  /** Find a request by its id */
  'GET /v1/requests/{request_id}': {
    path: {
      /** Id of the request. */
      readonly request_id: string
    }
    query: Record<never, never>
    body: undefined
    response: AnsweredRequest
  }
}
