import { describe, expect, it } from 'vitest'
import { loadPlans } from '../billing/plans.ts'
import { DEFAULT_SETTINGS, refuseUnknownSignUpPlans } from '../billing/settings.ts'
import { CONFIG_KEYS, parseConfig } from '../config.ts'
import { settingsOf } from './settings.ts'

describe('the settings of billing', () => {
  it('without any key are the defaults', () => {
    expect(settingsOf(parseConfig({}))).toEqual(DEFAULT_SETTINGS)
    expect(CONFIG_KEYS.ASSAY_ISSUER_NAME.fallbackText).toBe(DEFAULT_SETTINGS.issuer.name)
  })

  it('are what the keys say', () => {
    const config = parseConfig({
      ASSAY_SIGN_UP: 'approval',
      ASSAY_SIGN_UP_PLANS: 'free,prepaid',
      ASSAY_CREDIT_BEFORE_PAYMENT_PENCE: '500',
      ASSAY_ISSUER_NAME: 'Example Ltd',
      ASSAY_ISSUER_ADDRESS: '1 High Street\\nLondon',
      ASSAY_ISSUER_TAX_ID: 'GB123456789',
      ASSAY_PAYMENT_INSTRUCTIONS: 'Example Bank\\nAccount 12345678',
    })
    expect(settingsOf(config)).toEqual({
      signUp: 'approval',
      signUpPlans: ['free', 'prepaid'],
      creditBeforePaymentPence: 500,
      issuer: { name: 'Example Ltd', address: '1 High Street\nLondon', taxId: 'GB123456789' },
      paymentInstructions: 'Example Bank\nAccount 12345678',
    })
  })

  it('with a plan that does not exist are refused in one line that names the key and the plans', () => {
    const plans = loadPlans()
    expect(() => refuseUnknownSignUpPlans({ signUpPlans: ['free', 'pro', 'max'] }, plans)).toThrow(
      'ASSAY_SIGN_UP_PLANS: there is no plan "pro" or "max"; there are: free, prepaid, growth, enterprise',
    )
    expect(() => refuseUnknownSignUpPlans({ signUpPlans: ['free', 'enterprise'] }, plans)).not.toThrow()
    expect(() => refuseUnknownSignUpPlans({ signUpPlans: 'all' }, plans)).not.toThrow()
  })
})
