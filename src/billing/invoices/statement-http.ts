import { preferredType, sendCsv } from '../../http/csv.ts'
import { type Operation, operation } from '../../http/operation.ts'
import { sendPrintable } from '../../http/printable.ts'
import { jsonResponse, withForms } from '../../http/schema.ts'
import { requireOrganisation } from '../../identity/organisation/organisations.ts'
import type { BillingDependencies } from '../dependencies.ts'
import { readAccount } from '../ledger/accounts.ts'
import { applyDueChanges } from '../subscription/open-account.ts'
import { StatementSchema, statementCsv, statementPage } from './statement-view.ts'
import { readStatement } from './statements.ts'

export function statementOperations(deps: BillingDependencies): Operation[] {
  return [
    operation({
      name: 'GET /v1/billing/statements/{month}',
      id: 'readStatement',
      summary: 'Read the statement of a month',
      description: 'With `Accept: text/csv` as CSV, with `Accept: text/html` as a page to print.',
      scope: 'billing:read',
      answers: {
        200: withForms(jsonResponse('The statement; it adds up to the ledger.', StatementSchema), {
          'text/csv': 'section,item,units\r\n',
          'text/html': '<!doctype html>…',
        }),
      },
      handle: async ({ caller: { organisationId }, params: { month }, request, reply }) => {
        // Close a finished month in the ledger before summing it up.
        await applyDueChanges(deps, organisationId)
        const account = await readAccount(deps, organisationId)
        const statement = await readStatement(deps.sql, { account, month, nowMs: deps.clock.now() })
        reply.header('vary', 'accept')
        const form = preferredType(request, ['application/json', 'text/csv', 'text/html'])
        if (form === 'text/csv') return sendCsv(reply, `statement-${month}.csv`, statementCsv(statement))
        if (form === 'application/json') return statement
        return sendPrintable(reply, statementPage(statement, await requireOrganisation(deps.sql, organisationId)))
      },
    }),
  ]
}
