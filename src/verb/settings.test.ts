import { describe, expect, it } from 'vitest'
import { loadPlans } from '../billing/plans.ts'
import { DEFAULT_SETTINGS, refuseUnknownSignUpPlans } from '../billing/settings.ts'
import { CONFIG_KEYS, parseConfig } from '../config.ts'
import { billingSettingsOf, tracingSettingsOf } from './settings.ts'

describe('the settings of billing', () => {
  it('without any key are the defaults', () => {
    expect(billingSettingsOf(parseConfig({}))).toEqual(DEFAULT_SETTINGS)
    expect(CONFIG_KEYS.ASSAY_ISSUER_NAME.fallbackText).toBe(DEFAULT_SETTINGS.issuer.name)
  })

  it('are what the keys say', () => {
    const config = parseConfig({
      ASSAY_SIGN_UP: 'approval',
      ASSAY_SIGN_UP_PLANS: 'free,prepaid',
      ASSAY_TERMS_URL: 'https://www.example.com/terms/',
      ASSAY_TERMS_VERSION: '2026-11-01',
      ASSAY_PRIVACY_URL: 'https://www.example.com/privacy',
      ASSAY_CREDIT_BEFORE_PAYMENT_PENCE: '500',
      ASSAY_ISSUER_NAME: 'Example Ltd',
      ASSAY_ISSUER_ADDRESS: '1 High Street\\nLondon',
      ASSAY_ISSUER_TAX_ID: 'GB123456789',
      ASSAY_PAYMENT_INSTRUCTIONS: 'Example Bank\\nAccount 12345678',
      ASSAY_CONTACT: 'billing@example.com',
      ASSAY_FREE_TRIES: '3',
    })
    expect(billingSettingsOf(config)).toEqual({
      signUp: 'approval',
      signUpPlans: ['free', 'prepaid'],
      terms: { url: 'https://www.example.com/terms', version: '2026-11-01' },
      privacyUrl: 'https://www.example.com/privacy',
      creditBeforePaymentPence: 500,
      issuer: { name: 'Example Ltd', address: '1 High Street\nLondon', taxId: 'GB123456789' },
      paymentInstructions: 'Example Bank\nAccount 12345678',
      contact: 'billing@example.com',
      freeTries: 3,
      erasureDays: 7,
      invoicesKeptYears: 10,
      production: false,
    })
  })

  it('terms without a version are refused: nobody could say which were accepted', () => {
    expect(() => parseConfig({ ASSAY_TERMS_URL: 'https://www.example.com/terms' })).toThrow(
      'ASSAY_TERMS_VERSION: is missing, and ASSAY_TERMS_URL needs one',
    )
  })

  it('with a plan that does not exist are refused in one line that names the key and the plans', () => {
    const plans = loadPlans()
    expect(() => refuseUnknownSignUpPlans({ signUpPlans: ['free', 'pro', 'max'] }, plans)).toThrow(
      'ASSAY_SIGN_UP_PLANS: there is no plan "pro" or "max"; the plans are: free, prepaid, growth, enterprise',
    )
    expect(() => refuseUnknownSignUpPlans({ signUpPlans: ['free', 'enterprise'] }, plans)).not.toThrow()
    expect(() => refuseUnknownSignUpPlans({ signUpPlans: 'all' }, plans)).not.toThrow()
  })
})

describe('the settings of traces', () => {
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318/' }

  it('without a collector, or switched off, are none', () => {
    expect(tracingSettingsOf(parseConfig({ OTEL_SERVICE_NAME: 'assay-eu' }))).toBeUndefined()
    expect(tracingSettingsOf(parseConfig({ ...collector, OTEL_SDK_DISABLED: 'true' }))).toBeUndefined()
  })

  it('are what the usual keys say; an address for traces alone is taken as it is', () => {
    expect(tracingSettingsOf(parseConfig(collector))).toEqual({
      url: 'http://collector.example:4318/v1/traces',
      headers: {},
      resource: {},
      serviceName: 'assay',
      sampler: 'parentbased_always_on',
      ratio: 1,
    })
    const config = parseConfig({
      ...collector,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-team = payments',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    })
    expect(tracingSettingsOf(config)).toMatchObject({
      url: 'https://traces.example/in',
      headers: { authorization: 'Bearer abc', 'x-team': 'payments' },
      resource: { 'deployment.environment.name': 'production' },
      sampler: 'traceidratio',
      ratio: 0.25,
    })
  })

  it('that are wrong are refused, and a header is never shown', () => {
    const refusal = (env: Record<string, string>) => {
      try {
        parseConfig(env)
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(refusal({ OTEL_EXPORTER_OTLP_HEADERS: 'the-secret-key' })).toMatch(
      /^OTEL_EXPORTER_OTLP_HEADERS: the value must/,
    )
    expect(refusal({ OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' })).toContain('wrong percent sign')
    expect(refusal({ OTEL_TRACES_SAMPLER: 'jaeger_remote' })).toContain('must be one of always_on')
    expect(refusal({ OTEL_TRACES_SAMPLER_ARG: '2' })).toContain('is not a number from 0 to 1')
    expect(refusal({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' })).toContain('is not an http(s) address')
  })
})
