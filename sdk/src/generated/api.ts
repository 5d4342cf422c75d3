// Written by `npm run generate` from openapi.json. Changes belong there.

/** RFC 9457 problem details. */
export type Problem = {
  /** Address of a page about this problem. */
  readonly type: string
  /** The problem in general. */
  readonly title: string
  /** The HTTP status again. */
  readonly status: number
  /** What is wrong this time and what to do. */
  readonly detail: string
  /** The request id, as in the header X-Request-Id. */
  readonly instance: string
  /** Stable code to program against. */
  readonly code: 'malformed_json' | 'ambiguous_credentials' | 'invalid_header' | 'invalid_query' | 'credentials_missing' | 'api_key_invalid' | 'token_invalid' | 'credit_exhausted' | 'account_disabled' | 'account_inactive' | 'insufficient_scope' | 'bulk_not_in_plan' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'request_in_flight' | 'conflict' | 'precondition_failed' | 'body_too_large' | 'unsupported_media_type' | 'validation_failed' | 'too_many_records' | 'no_records' | 'idempotency_key_reused' | 'precondition_required' | 'rate_limited' | 'headers_too_large' | 'internal' | 'upstream_unavailable' | 'store_unavailable' | 'shutting_down'
  /** For validation: each place that is wrong, the first 100. */
  readonly errors?: readonly {
    /** RFC 6901 pointer to the place in the body. */
    readonly pointer: string
    readonly code: string
    readonly detail: string
  }[]
}

export type Signal = {
  /** Stable code, such as `domain.lookalike`. */
  readonly code: string
  /** The reason in words; may change. */
  readonly description: string
  /** Points the score moved by: positive raises the risk. */
  readonly effect: number
  /** Where the evidence came from. */
  readonly source: string
  readonly first_seen: string | null
  readonly last_seen: string | null
}

/** Every operation of the interface: what it takes and what it answers with. */
export interface Operations {
  /** Check an email address before a payment */
  'POST /v1/payment-risk': {
    path: Record<never, never>
    query: {
      /** true adds the reasons to the answer. */
      readonly explain?: 'true' | 'false'
    }
    body: {
      /** local@domain, at most 254 characters; internationalised addresses are accepted. */
      readonly email: string
    }
    response: {
      readonly endpoint: 'payment-risk'
      /** low: no significant signal. medium: review before deciding. high: escalate. */
      readonly risk: 'low' | 'medium' | 'high'
      /** low 0–29, medium 30–69, high 70–100. */
      readonly risk_score: number
      readonly source_type: 'payment_scan'
      /** The indicator in normal form; an email address only as a digest. */
      readonly target: string
      /** Money moved, from credit or as overage. */
      readonly charged: boolean
      /** A free allowance or a zero-priced plan covered the whole request. */
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
      /** Only with explain=true: every reason, strongest first. */
      readonly signals?: readonly Signal[]
      readonly intelligence?: {
        readonly version: string
        readonly built_at: string
      }
      readonly recommended_action?: 'escalate and verify independently before paying' | 'review payee and payment context' | 'proceed under normal payment controls'
    }
  }
  /** Check up to 10,000 email addresses */
  'POST /v1/payment-risk/bulk': {
    path: Record<never, never>
    query: {
      /** true adds the reasons to the answer. */
      readonly explain?: 'true' | 'false'
    }
    body: {
      readonly emails: readonly string[]
    }
    response: {
      /** One per submitted record, in order, duplicates included. */
      readonly results: readonly {
        /** The indicator exactly as submitted. */
        readonly email: string
        /** low: no significant signal. medium: review before deciding. high: escalate. */
        readonly risk: 'low' | 'medium' | 'high'
        /** low 0–29, medium 30–69, high 70–100. */
        readonly risk_score: number
        /** Only with explain=true: every reason, strongest first. */
        readonly signals?: readonly Signal[]
      }[]
      /** Money moved, from credit or as overage. */
      readonly charged: boolean
      /** A free allowance or a zero-priced plan covered the whole request. */
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
    }
  }
  /** Check the domain of a supplier */
  'POST /v1/supply-chain-risk': {
    path: Record<never, never>
    query: {
      /** true adds the reasons to the answer. */
      readonly explain?: 'true' | 'false'
    }
    body: {
      /** A host name with at least two labels; internationalised names are accepted. No URL, port or IP address. */
      readonly domain: string
    }
    response: {
      readonly endpoint: 'supply-chain-risk'
      /** low: no significant signal. medium: review before deciding. high: escalate. */
      readonly risk: 'low' | 'medium' | 'high'
      /** low 0–29, medium 30–69, high 70–100. */
      readonly risk_score: number
      readonly source_type: 'supply-chain_scan'
      /** The indicator in normal form; an email address only as a digest. */
      readonly target: string
      /** Money moved, from credit or as overage. */
      readonly charged: boolean
      /** A free allowance or a zero-priced plan covered the whole request. */
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
      /** Only with explain=true: every reason, strongest first. */
      readonly signals?: readonly Signal[]
      readonly intelligence?: {
        readonly version: string
        readonly built_at: string
      }
      readonly recommended_action?: 'escalate supplier for further due diligence' | 'review supplier before onboarding or transacting' | 'proceed under normal supplier controls'
    }
  }
  /** Check up to 10,000 domains */
  'POST /v1/supply-chain-risk/bulk': {
    path: Record<never, never>
    query: {
      /** true adds the reasons to the answer. */
      readonly explain?: 'true' | 'false'
    }
    body: {
      readonly domains: readonly string[]
    }
    response: {
      /** One per submitted record, in order, duplicates included. */
      readonly results: readonly {
        /** The indicator exactly as submitted. */
        readonly domain: string
        /** low: no significant signal. medium: review before deciding. high: escalate. */
        readonly risk: 'low' | 'medium' | 'high'
        /** low 0–29, medium 30–69, high 70–100. */
        readonly risk_score: number
        /** Only with explain=true: every reason, strongest first. */
        readonly signals?: readonly Signal[]
      }[]
      /** Money moved, from credit or as overage. */
      readonly charged: boolean
      /** A free allowance or a zero-priced plan covered the whole request. */
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
    }
  }
  /** Check an IP address */
  'POST /v1/infrastructure-risk': {
    path: Record<never, never>
    query: {
      /** true adds the reasons to the answer. */
      readonly explain?: 'true' | 'false'
    }
    body: {
      /** IPv4 dotted quad or any IPv6 text form. No zone, prefix or port. */
      readonly ip: string
    }
    response: {
      readonly endpoint: 'infrastructure-risk'
      /** low: no significant signal. medium: review before deciding. high: escalate. */
      readonly risk: 'low' | 'medium' | 'high'
      /** low 0–29, medium 30–69, high 70–100. */
      readonly risk_score: number
      readonly source_type: 'infrastructure_scan'
      /** The indicator in normal form; an email address only as a digest. */
      readonly target: string
      /** Money moved, from credit or as overage. */
      readonly charged: boolean
      /** A free allowance or a zero-priced plan covered the whole request. */
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
      /** Only with explain=true: every reason, strongest first. */
      readonly signals?: readonly Signal[]
      readonly intelligence?: {
        readonly version: string
        readonly built_at: string
      }
      readonly recommended_action?: 'escalate for investigation' | 'review infrastructure context and supporting evidence' | 'proceed under normal infrastructure controls'
    }
  }
  /** Check up to 10,000 IP addresses */
  'POST /v1/infrastructure-risk/bulk': {
    path: Record<never, never>
    query: {
      /** true adds the reasons to the answer. */
      readonly explain?: 'true' | 'false'
    }
    body: {
      readonly ips: readonly string[]
    }
    response: {
      /** One per submitted record, in order, duplicates included. */
      readonly results: readonly {
        /** The indicator exactly as submitted. */
        readonly ip: string
        /** low: no significant signal. medium: review before deciding. high: escalate. */
        readonly risk: 'low' | 'medium' | 'high'
        /** low 0–29, medium 30–69, high 70–100. */
        readonly risk_score: number
        /** Only with explain=true: every reason, strongest first. */
        readonly signals?: readonly Signal[]
      }[]
      /** Money moved, from credit or as overage. */
      readonly charged: boolean
      /** A free allowance or a zero-priced plan covered the whole request. */
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
    }
  }
}
