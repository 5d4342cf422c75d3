import { type BillingSettings, DEFAULT_SETTINGS } from '../billing/settings.ts'
import type { Config } from '../config.ts'
import type { Lifetimes } from '../lib/lifetimes.ts'
import type { Sort } from '../live/facts.ts'
import type { LiveSettings } from '../live/open.ts'
import type { MailSettings } from '../mail/smtp.ts'
import type { TracingSettings } from '../ops/tracing.ts'

/** The operator's settings for customers and money, from the configuration. */
export function settingsOf(config: Config): BillingSettings {
  return {
    signUp: config.ASSAY_SIGN_UP,
    signUpPlans: config.ASSAY_SIGN_UP_PLANS,
    creditBeforePaymentPence: config.ASSAY_CREDIT_BEFORE_PAYMENT_PENCE,
    issuer: {
      name: config.ASSAY_ISSUER_NAME ?? DEFAULT_SETTINGS.issuer.name,
      address: config.ASSAY_ISSUER_ADDRESS ?? DEFAULT_SETTINGS.issuer.address,
      taxId: config.ASSAY_ISSUER_TAX_ID ?? DEFAULT_SETTINGS.issuer.taxId,
    },
    paymentInstructions: config.ASSAY_PAYMENT_INSTRUCTIONS ?? DEFAULT_SETTINGS.paymentInstructions,
  }
}

/** The mail server and the sender; undefined where none is configured. */
export function mailSettingsOf(config: Config): MailSettings | undefined {
  const { ASSAY_SMTP_URL: smtpUrl, ASSAY_MAIL_FROM: from, baseUrl } = config
  return smtpUrl !== undefined && from !== undefined ? { smtpUrl, from, baseUrl } : undefined
}

/** Who moves the money: Stripe where its keys are set, otherwise the operator. */
export function providerOf(config: Config): 'invoice' | 'stripe' {
  return config.ASSAY_STRIPE_SECRET_KEY && config.ASSAY_STRIPE_WEBHOOK_SECRET ? 'stripe' : 'invoice'
}

export function lifetimesOf(config: Config): Lifetimes {
  return {
    authorizationCodeSeconds: config.ASSAY_AUTHORIZATION_CODE_SECONDS,
    accessTokenSeconds: config.ASSAY_ACCESS_TOKEN_SECONDS,
    idTokenSeconds: config.ASSAY_ID_TOKEN_SECONDS,
    refreshTokenSeconds: config.ASSAY_REFRESH_TOKEN_SECONDS,
    refreshChainSeconds: config.ASSAY_REFRESH_CHAIN_SECONDS,
    deviceCodeSeconds: config.ASSAY_DEVICE_CODE_SECONDS,
    deviceIntervalSeconds: config.ASSAY_DEVICE_INTERVAL_SECONDS,
    sessionSeconds: config.ASSAY_SESSION_SECONDS,
    signingKeyPublishedSeconds: config.ASSAY_SIGNING_KEY_PUBLISHED_SECONDS,
    refreshGraceSeconds: config.ASSAY_REFRESH_GRACE_SECONDS,
  }
}

/** What is looked up at the time of a question, and whom to ask. */
export function liveSettingsOf(config: Config): LiveSettings {
  const sorts: Sort[] = []
  if (config.ASSAY_LIVE_RDAP === 'on') sorts.push('registration')
  if (config.ASSAY_LIVE_DNS === 'on') sorts.push('zone', 'host')
  if (config.ASSAY_LIVE_CERTIFICATES === 'on') sorts.push('certificate')
  if (config.ASSAY_LIVE_REVERSE_DNS === 'on') sorts.push('reverse')
  return {
    mode: config.live,
    sorts,
    dnsServers: config.ASSAY_DNS_SERVERS,
    rdapUrl: config.ASSAY_RDAP_URL,
    patienceMs: Math.max(config.ASSAY_LIVE_BUDGET_MS, config.ASSAY_LIVE_BULK_BUDGET_MS),
    budgetMs: config.ASSAY_LIVE_BUDGET_MS,
    bulkBudgetMs: config.ASSAY_LIVE_BULK_BUDGET_MS,
  }
}

/** Where traces go; undefined when the operator names no collector. */
export function tracingSettingsOf(config: Config): TracingSettings | undefined {
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
