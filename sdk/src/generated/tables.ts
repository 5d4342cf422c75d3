// Written by `npm run generate` from the tables of the server. Changes belong there.

/** The kinds of indicator, and what the service calls each. */
export const KINDS = {
  email: { family: 'payment-risk', plural: 'emails', sourceType: 'payment_scan', scope: 'risk:payment' },
  domain: { family: 'supply-chain-risk', plural: 'domains', sourceType: 'supply-chain_scan', scope: 'risk:supply-chain' },
  ip: { family: 'infrastructure-risk', plural: 'ips', sourceType: 'infrastructure_scan', scope: 'risk:infrastructure' },
} as const

/** Addresses that are not on the public internet, and what they are for. */
export const SPECIAL_ADDRESSES = {
  '0.0.0.0/8': { use: 'this network' },
  '10.0.0.0/8': { use: 'private use' },
  '100.64.0.0/10': { use: 'shared address space of carriers' },
  '127.0.0.0/8': { use: 'loopback' },
  '169.254.0.0/16': { use: 'link local' },
  '172.16.0.0/12': { use: 'private use' },
  '192.0.0.0/24': { use: 'protocol assignments' },
  '192.0.2.0/24': { use: 'documentation' },
  '192.88.99.0/24': { use: 'retired 6to4 relay' },
  '192.168.0.0/16': { use: 'private use' },
  '198.18.0.0/15': { use: 'benchmarking' },
  '198.51.100.0/24': { use: 'documentation' },
  '203.0.113.0/24': { use: 'documentation' },
  '224.0.0.0/4': { use: 'multicast' },
  '240.0.0.0/4': { use: 'reserved' },
  '::/128': { use: 'unspecified' },
  '::1/128': { use: 'loopback' },
  '100::/64': { use: 'discard only' },
  '100:0:0:1::/64': { use: 'dummy prefix' },
  '2001:db8::/32': { use: 'documentation' },
  '3fff::/20': { use: 'documentation' },
  '5f00::/16': { use: 'segment routing' },
  'fc00::/7': { use: 'unique local' },
  'fe80::/10': { use: 'link local' },
  'fec0::/10': { use: 'retired site local' },
  'ff00::/8': { use: 'multicast' },
} as const

/** Names under which nobody can register, and why. */
export const RESERVED_NAMES = {
  test: { why: '.test is not a public ending' },
  example: { why: '.example is not a public ending' },
  invalid: { why: '.invalid is not a public ending' },
  localhost: { why: '.localhost is not a public ending' },
  local: { why: '.local is not a public ending' },
  internal: { why: '.internal is not a public ending' },
  alt: { why: '.alt is not a public ending' },
  onion: { why: '.onion is not a public ending' },
  'home.arpa': { why: '.home.arpa is not a public ending' },
  corp: { why: '.corp is not a public ending' },
  home: { why: '.home is not a public ending' },
  lan: { why: '.lan is not a public ending' },
  localdomain: { why: '.localdomain is not a public ending' },
  intranet: { why: '.intranet is not a public ending' },
  private: { why: '.private is not a public ending' },
  domain: { why: '.domain is not a public ending' },
  workgroup: { why: '.workgroup is not a public ending' },
  'example.com': { why: 'kept for examples in manuals' },
  'example.net': { why: 'kept for examples in manuals' },
  'example.org': { why: 'kept for examples in manuals' },
} as const

/** Every scope: what it grants, and by which flows and credentials it can be had. */
export const SCOPES = {
  'risk:payment': { words: 'Check email addresses before payments', clientCredentials: true, user: true, apiKey: true },
  'risk:supply-chain': { words: 'Check the domains of suppliers', clientCredentials: true, user: true, apiKey: true },
  'risk:infrastructure': { words: 'Check IP addresses', clientCredentials: true, user: true, apiKey: true },
  'risk:bulk': { words: 'Check whole lists at a time', clientCredentials: true, user: true, apiKey: true },
  'billing:read': { words: 'See credit, usage and statements', clientCredentials: true, user: false, apiKey: true },
  'billing:write': { words: 'Buy credit and change the plan', clientCredentials: true, user: false, apiKey: true },
  'organisation:read': { words: 'See members, keys and applications', clientCredentials: true, user: false, apiKey: true },
  'organisation:write': { words: 'Change members, keys and applications', clientCredentials: true, user: false, apiKey: true },
  openid: { words: 'Know who you are', clientCredentials: false, user: true, apiKey: false },
  profile: { words: 'See your name', clientCredentials: false, user: true, apiKey: false },
  email: { words: 'See your email address', clientCredentials: false, user: true, apiKey: false },
  offline_access: { words: 'Stay connected while you are away', clientCredentials: false, user: true, apiKey: false },
} as const

/** The roles of members: what each may do in its organisation, with the scopes separated by blanks. */
export const ROLES = {
  owner: { about: 'Everything, and makes owners', scopes: 'risk:payment risk:supply-chain risk:infrastructure risk:bulk billing:read billing:write organisation:read organisation:write', makesKeys: true },
  admin: { about: 'Everything but making owners', scopes: 'risk:payment risk:supply-chain risk:infrastructure risk:bulk billing:read billing:write organisation:read organisation:write', makesKeys: true },
  developer: { about: 'Checks, reads, makes keys and applications', scopes: 'risk:payment risk:supply-chain risk:infrastructure risk:bulk billing:read organisation:read', makesKeys: true },
  checker: { about: 'Checks and reads usage, makes no keys', scopes: 'risk:payment risk:supply-chain risk:infrastructure risk:bulk billing:read', makesKeys: false },
  viewer: { about: 'Reads', scopes: 'billing:read organisation:read', makesKeys: false },
} as const

/** The names in an answer to a check, by the way to them; * is any place of a list. */
export const ANSWER_FIELDS = {
  '': { names: 'endpoint risk risk_score source_type target charged is_free unit_price_pence billable_units total_price_pence charged_from_credit_pence overage_pence remaining_credit_pence signals intelligence recommended_action base_score coverage facts resembles international' },
  signals: { names: '*' },
  'signals.*': { names: 'code description effect source first_seen last_seen' },
  intelligence: { names: 'version built_at' },
  coverage: { names: 'lists model popularity live known summary' },
  'coverage.lists': { names: 'status sources oldest newest threat_sources' },
  'coverage.model': { names: 'status version' },
  'coverage.popularity': { names: 'status sources oldest newest' },
  'coverage.live': { names: 'status' },
  facts: { names: 'registered changed expires registrar status mail name_servers parked_by networks certificate reverse_dns' },
  'facts.registered': { names: 'value seen_at' },
  'facts.changed': { names: 'value seen_at' },
  'facts.expires': { names: 'value seen_at' },
  'facts.registrar': { names: 'value seen_at' },
  'facts.status': { names: 'value seen_at' },
  'facts.status.value': { names: '*' },
  'facts.mail': { names: 'value seen_at' },
  'facts.mail.value': { names: 'mx null_mx spf dmarc' },
  'facts.mail.value.mx': { names: '*' },
  'facts.name_servers': { names: 'value seen_at' },
  'facts.name_servers.value': { names: '*' },
  'facts.parked_by': { names: 'value seen_at' },
  'facts.networks': { names: 'value seen_at' },
  'facts.networks.value': { names: '*' },
  'facts.networks.value.*': { names: 'address asn name country' },
  'facts.certificate': { names: 'value seen_at' },
  'facts.certificate.value': { names: 'issuer not_before not_after names' },
  'facts.certificate.value.names': { names: '*' },
  'facts.reverse_dns': { names: 'value seen_at' },
  'facts.reverse_dns.value': { names: 'names confirmed' },
  'facts.reverse_dns.value.names': { names: '*' },
  'facts.reverse_dns.value.confirmed': { names: '*' },
  resembles: { names: '*' },
  international: { names: 'ascii unicode mixed' },
} as const
