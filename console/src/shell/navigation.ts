interface NavigationEntry {
  readonly to: string
  readonly label: string
  /** Shown only to roles that have this scope. */
  readonly scope?: string
}

/** The console's navigation, in order. A page is added here and in routes.tsx. */
export const NAVIGATION: readonly NavigationEntry[] = [
  { to: '/console', label: 'Check' },
  { to: '/console/bulk', label: 'Check a list' },
  { to: '/console/billing', label: 'Usage and billing' },
  { to: '/console/keys', label: 'Keys and applications', scope: 'organisation:read' },
  { to: '/console/members', label: 'Members' },
  { to: '/console/audit', label: 'Audit log', scope: 'organisation:read' },
  { to: '/console/intelligence', label: 'Intelligence' },
]

/** For those whom the operator of the server lets look after every organisation. */
export const OPERATOR_NAVIGATION: readonly NavigationEntry[] = [
  { to: '/console/organisations', label: 'All organisations' },
  { to: '/console/status', label: 'Status' },
]
