import type { Kind, Risk } from '@assay/sdk'

/** Steps that put the service's handling sentence (`recommended_action`) into practice. */
export interface NextSteps {
  readonly short: string
  readonly steps: readonly string[]
}

const NEXT_STEPS: Readonly<Record<Kind, Readonly<Record<Risk, NextSteps>>>> = {
  email: {
    high: {
      short: 'Do not pay: escalate, and verify the payee independently.',
      steps: [
        'Do not pay, and do not change any bank details.',
        'Call the supplier on a number you already hold, not one from this mail.',
        'Escalate: give this result to the person who approves payments, and let them decide.',
        'Report the mail to your security team. Keep it, and do not answer it.',
      ],
    },
    medium: {
      short: 'Review the payee and the payment before you pay.',
      steps: [
        'Compare the address, letter by letter, with the one in your supplier records.',
        'Compare the invoice with an order you know: amount, reference, bank details.',
        'If anything is new or has changed, call the supplier on a number you already hold.',
        'Pay only when every question has an answer, and note who checked.',
      ],
    },
    low: {
      short: 'Proceed under your normal payment controls.',
      steps: [
        'Compare the invoice with the order and the delivery, as always.',
        'If bank details are new or have changed, confirm them by a call to a number you already hold.',
        'Keep this result with the payment.',
      ],
    },
  },
  domain: {
    high: {
      short: 'Do not sign or order: escalate the supplier for due diligence.',
      steps: [
        'Stop onboarding: do not sign, order, or send documents.',
        'Compare the domain, letter by letter, with the one in the contract or on earlier invoices.',
        'Ask the company whether the domain is theirs. Take its number from the company register.',
        'Escalate: give this result to the people who do due diligence, and wait for their answer.',
      ],
    },
    medium: {
      short: 'Review the supplier before you onboard or order.',
      steps: [
        'Look the company up in its official register: name, address and age must agree with what you were told.',
        'Ask the supplier about each reason on this page.',
        'Confirm contact and bank details with somebody you already know there.',
        'Note who reviewed the supplier, and what was found, before you order.',
      ],
    },
    low: {
      short: 'Proceed under your normal supplier controls.',
      steps: [
        'Do your usual supplier checks: company register, tax number, bank details.',
        'Keep this result with the supplier’s record.',
        'Check again before a renewal, a large order, or a change of domain.',
      ],
    },
  },
  ip: {
    high: {
      short: 'Escalate to security operations for investigation.',
      steps: [
        'Escalate: open an incident with this result, and hand it to security operations.',
        'Search the logs of firewall, proxy, mail and sign-in for this address, and since when it appears.',
        'Block it with an end date, unless the investigation needs the traffic: addresses change hands.',
        'Isolate hosts and reset accounts that exchanged data with it, as your procedure says.',
      ],
    },
    medium: {
      short: 'Review the context and the evidence before you trust the address.',
      steps: [
        'Review the reasons: whose network it is, which list names it, and how recently.',
        'See in your logs what the address did: sign-ins, scans, mail, volume.',
        'Ask the owner of the system whether this traffic is expected.',
        'Limit or watch it until then, and note the decision.',
      ],
    },
    low: {
      short: 'Proceed under your normal infrastructure controls.',
      steps: [
        'Treat the address as your rules say; this result alone is no reason to widen a rule.',
        'Keep logging, and check again if it behaves oddly: addresses change hands.',
      ],
    },
  },
}

export function nextSteps(kind: Kind, level: Risk): NextSteps {
  return NEXT_STEPS[kind][level]
}
