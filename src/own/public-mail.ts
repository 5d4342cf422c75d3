import { GIANTS } from '../feeds/giants.ts'

const PROVIDERS: ReadonlySet<string> = new Set([...GIANTS.mail_providers, ...GIANTS.free_mail_domains])

/** True if anyone can open a mailbox under the domain: it never stands for one organisation. */
export const isPublicMail = (domain: string): boolean => PROVIDERS.has(domain)
