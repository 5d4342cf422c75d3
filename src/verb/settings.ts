import type { Config } from '../config.ts'
import { DEFAULT_LIFETIMES, type Lifetimes } from '../lib/lifetimes.ts'

/**
 * The configuration as the settings of each feature, for servers and verbs alike. The types of a feature's settings are
 * checked at its call: this file must not import the features.
 */

/** The operator's settings for customers and money. */
export function billingSettingsOf(config: Config) {
  const { ASSAY_TERMS_URL: url, ASSAY_TERMS_VERSION: version } = config
  return {
    signUp: config.ASSAY_SIGN_UP,
    signUpPlans: config.ASSAY_SIGN_UP_PLANS,
    terms: url !== undefined && version !== undefined ? { url, version } : null,
    privacyUrl: config.ASSAY_PRIVACY_URL ?? null,
    creditBeforePaymentPence: config.ASSAY_CREDIT_BEFORE_PAYMENT_PENCE,
    issuer: {
      name: config.ASSAY_ISSUER_NAME,
      address: config.ASSAY_ISSUER_ADDRESS,
      taxId: config.ASSAY_ISSUER_TAX_ID ?? null,
    },
    paymentInstructions: config.ASSAY_PAYMENT_INSTRUCTIONS ?? null,
    contact: config.ASSAY_CONTACT ?? null,
    freeTries: config.ASSAY_FREE_TRIES,
    erasureDays: config.ASSAY_ERASURE_DAYS,
    invoicesKeptYears: config.ASSAY_INVOICES_KEPT_YEARS,
    production: config.production,
  }
}

/** The mail server and the sender; undefined if none is configured. */
export function mailSettingsOf({ ASSAY_SMTP_URL: smtpUrl, ASSAY_MAIL_FROM: from, baseUrl }: Config) {
  return smtpUrl !== undefined && from !== undefined ? { smtpUrl, from, baseUrl } : undefined
}

/** The account at Stripe; undefined if its keys are not set. Then the operator settles invoices. */
export function stripeSettingsOf(config: Config) {
  const { ASSAY_STRIPE_SECRET_KEY: secretKey, ASSAY_STRIPE_WEBHOOK_SECRET: webhookSecret } = config
  return secretKey && webhookSecret ? { secretKey, webhookSecret, apiBase: config.ASSAY_STRIPE_API_BASE } : undefined
}

/** Each lifetime has a key of its name: `idTokenSeconds` is ASSAY_ID_TOKEN_SECONDS. */
export function lifetimesOf(config: Config): Lifetimes {
  const keyOf = (name: string) => `ASSAY_${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}` as keyof Config
  const names = Object.keys(DEFAULT_LIFETIMES)
  return Object.fromEntries(names.map((name) => [name, config[keyOf(name)]])) as unknown as Lifetimes
}

/** The settings of live look-ups: the facts, and the servers to ask. */
export function liveSettingsOf(config: Config) {
  const sorts = [
    ...(config.ASSAY_LIVE_RDAP === 'on' ? (['registration'] as const) : []),
    ...(config.ASSAY_LIVE_DNS === 'on' ? (['zone', 'host'] as const) : []),
    ...(config.ASSAY_LIVE_CERTIFICATES === 'on' ? (['certificate'] as const) : []),
    ...(config.ASSAY_LIVE_REVERSE_DNS === 'on' ? (['reverse'] as const) : []),
  ]
  return {
    mode: config.live,
    sorts,
    dnsServers: config.ASSAY_DNS_SERVERS,
    rdapUrl: config.ASSAY_RDAP_URL,
    budgetMs: config.ASSAY_LIVE_BUDGET_MS,
    bulkBudgetMs: config.ASSAY_LIVE_BULK_BUDGET_MS,
  }
}

/** The trace collector; undefined if the operator configures none. */
export function tracingSettingsOf(config: Config) {
  const base = config.OTEL_EXPORTER_OTLP_ENDPOINT
  const url = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base}/v1/traces`)
  if (url === undefined || config.OTEL_SDK_DISABLED === 'true') return undefined
  return {
    url,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    resource: config.OTEL_RESOURCE_ATTRIBUTES,
    serviceName: config.OTEL_SERVICE_NAME,
    sampler: config.OTEL_TRACES_SAMPLER,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
  }
}
