import { hasTag, surest } from '../look-up/evidence.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

// A list that names a scanner's whole network is less sure of each address than a list of single addresses.
const ADDRESS_CONFIDENCE_MIN = 0.6

export const ipScanner = {
  code: 'ip.scanner',
  description: 'Scans the internet',
  group: 'network',
  detect: ({ own }): readonly Finding<'address' | 'network'>[] => {
    const item = surest(own, 'scanner')
    if (item === undefined || hasTag(own, 'research_scanner')) return NOTHING
    if (item.confidence >= ADDRESS_CONFIDENCE_MIN) return [{ ...item, variant: 'address' }]
    return [{ ...item, variant: 'network', sentence: 'In a network from which somebody scans the internet' }]
  },
} satisfies Signal<'ip'>
