import type { ScopeWords } from '../api/generated/pages.ts'

/** What is asked for, one line each, in the words of the server's scope table. */
export function ScopeList({ scopes, label }: { scopes: readonly ScopeWords[]; label: string }) {
  return (
    <ul className="scopes" aria-label={label}>
      {scopes.map((scope) => (
        <li key={scope.name}>
          <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            <path
              d="M2.5 8.5 6.3 12.2 13.5 4"
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinecap="round"
            />
          </svg>
          <span>{scope.words}</span>
        </li>
      ))}
    </ul>
  )
}
