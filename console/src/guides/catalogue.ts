/**
 * The documents published as guides: all of docs/, without repeats, in the listed order. docs/decisions is left out,
 * because it is for people who change the program.
 */

export const AUDIENCES = {
  people: 'Using the console',
  answers: 'Understanding an answer',
  integrators: 'Building on Assay',
  operators: 'Running the server',
} as const

export type Audience = keyof typeof AUDIENCES

export type GuideEntry = ReturnType<typeof guide>

export const GUIDES = [
  guide('console', 'people', 'Every page of the console, paying, and checking a list.'),
  guide('consents', 'people', 'What applications may do in your name, and how to withdraw it.'),
  guide(
    'people',
    'people',
    'Your account: passwords, sessions, verified addresses, and what happens when somebody guesses.',
  ),
  guide('reader', 'people', 'What you can paste or drop: links, mails, tables and files.'),
  guide('second-factor', 'people', 'Passkeys, one-time codes and recovery codes; when they are asked for.'),
  guide('intelligence', 'answers', 'How a score comes about from lists, models and rules.'),
  guide('live', 'answers', 'What is looked up while a check waits, and what leaves the server for it.'),
  guide('model-card', 'answers', 'How well the answers hold, as measured, and where they fail.'),
  guide('api', 'integrators', 'Requests, answers, errors, limits and safe repeats.'),
  guide('limits', 'integrators', 'Sizes, rates, attempts and counts that a caller can meet.'),
  guide('sdk', 'integrators', 'Typed answers, safe repeats and lists of any length.'),
  guide('cli', 'integrators', 'Checks and whole files from a terminal or a script.'),
  guide('billing', 'integrators', 'Plans, credit, invoices and usage over the API.'),
  guide('organisation', 'integrators', 'Members, roles, keys and the audit log over the API.'),
  guide('oauth-client-credentials', 'integrators', 'Tokens for a server that acts for itself.', 'guides/'),
  guide('oauth-authorization-code', 'integrators', 'Tokens for an application that acts for a person.', 'guides/'),
  guide('oauth-device', 'integrators', 'Tokens for a terminal or a device without a browser.', 'guides/'),
  guide('apache', 'integrators', 'Sign-in and token checks in Apache, without code.'),
  guide('install', 'operators', 'From the released package, in a container or under systemd, behind a proxy.'),
  guide('operations', 'operators', 'Health, logs, metrics, alerts and what to do, traces, files, proxies.'),
  guide('feeds', 'operators', 'Every source, its licence, and how feeds are refreshed.'),
  guide('mail', 'operators', 'Setting it up, what is sent to whom, retries, and what happens without it.'),
  guide('secret', 'operators', 'What it protects, and replacing it on one node or on many.'),
  guide('backup', 'operators', 'One file of everything, its secret, restoring it, and how long that takes.'),
  guide('upgrade', 'operators', 'To a new version on one node or on many, and when a command refuses.'),
  guide('faults', 'operators', 'What happens when disks, databases and networks fail.'),
]

function guide(name: string, audience: Audience, about: string, folder = '') {
  return { name, file: `docs/${folder}${name}.md`, audience, about }
}
