import { hasTag, tagged } from '../look-up/evidence.ts'
import { isBusinessPlatform, isFleetingPlatform, isPublishingPlatform } from '../model/suffixes.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'
import { platformElseOwn } from './tagged.ts'

export const domainFreeHosting = {
  code: 'domain.free_hosting',
  description: 'A customer site on a platform that hosts anyone',
  group: 'hosting',
  detect: ({ platform, own, onPlatform }): readonly Finding<'business' | 'publishing' | 'fleeting' | 'open'>[] => {
    if (platform !== undefined && isBusinessPlatform(platform)) {
      const sentence = `A customer's part of ${platform}, which companies rent for their own use`
      return [{ source: 'rules', confidence: 1, variant: 'business', sentence }]
    }
    if (platform !== undefined && isPublishingPlatform(platform)) {
      const sentence = `A customer site on ${platform}, where anyone can publish`
      return [{ source: 'rules', confidence: 1, variant: 'publishing', sentence }]
    }
    if (platform !== undefined && isFleetingPlatform(platform)) {
      const sentence = `A customer site on ${platform}, which hosts anyone within a minute`
      return [{ source: 'rules', confidence: 1, variant: 'fleeting', sentence }]
    }
    const listed = tagged(platformElseOwn({ own, onPlatform }), 'free_hosting')
    if (listed.length > 0) return listed
    if (platform === undefined || hasTag(onPlatform, 'dynamic_dns')) return NOTHING
    return [{ source: 'rules', confidence: 1, sentence: `A customer site on ${platform}, which hosts anyone` }]
  },
} satisfies Signal<'domain'>
