import * as alertEndpoints from '@bidwell/contract/alerts/endpoints';
import * as endpoints from '@bidwell/contract/finance/endpoints';
import { toMicros } from '@bidwell/contract/lib/money';
import type { Context } from '../../context.ts';
import { dataRoute } from '../../platform/http/data-route.ts';
import type { Http } from '../../platform/http/server.ts';
import { createRoute } from '../../platform/idempotency/create-route.ts';
import { readAlertSettings, saveAlertSettings } from './balance/balance-exhausted.ts';
import { paymentInstructionsFor } from './payment-instructions.ts';
import { type ReportQueue, reportRoute } from '../reporting/public.ts';
import { reconcileSpend } from './reconciliation.ts';
import { readAccountStatement } from './statement.ts';
import { listTransactions, readBalance, requestTopUp } from './service.ts';

/** Registers the calls on the balance, the alert of a low one, transactions and top-ups. */
export function registerFinance(http: Http, ctx: Context): void {
  dataRoute(http, ctx, endpoints.readBalance, readBalance);
  dataRoute(http, ctx, alertEndpoints.readAlertSettings, readAlertSettings);
  dataRoute(http, ctx, alertEndpoints.saveAlertSettings, saveAlertSettings);
  dataRoute(http, ctx, endpoints.listTransactions, listTransactions);
  dataRoute(http, ctx, endpoints.readStatement, readAccountStatement);
  dataRoute(http, ctx, endpoints.readPaymentInstructions, paymentInstructionsFor);
  createRoute(http, ctx, endpoints.requestTopUp, async (_, actor, { amount }) =>
    requestTopUp(ctx, actor, toMicros(amount)),
  );
}

/** Registers the comparison of spend in reports, ledger and event log, which waits in the queue of reports. */
export function registerReconciliation(http: Http, ctx: Context, queue: ReportQueue): void {
  reportRoute(http, queue, endpoints.reconcileSpend, async (actor, query) =>
    reconcileSpend(ctx, actor, query),
  );
}
