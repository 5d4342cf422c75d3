/** The console's navigation, in order. A page is added here and in routes.tsx. */
export const NAVIGATION: readonly { readonly to: string; readonly label: string }[] = [
  { to: '/console', label: 'Check' },
  { to: '/console/bulk', label: 'Check a list' },
]
