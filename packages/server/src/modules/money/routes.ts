import * as alertEndpoints from '@bidwell/contract/alerts/endpoints';
import * as endpoints from '@bidwell/contract/finance/endpoints';
import { toMicros } from '@bidwell/contract/lib/money';
import type { Context } from '../../context.ts';
import { actorOf } from '../../platform/http/auth/auth.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import { created } from '../../platform/idempotency/idempotency.ts';
import { readAlertSettings, saveAlertSettings } from './balance/balance-exhausted.ts';
import { paymentInstructionsFor } from './payment-instructions.ts';
import { type ReportQueue, reportRoute } from '../reporting/public.ts';
import { reconcileSpend } from './reconciliation.ts';
import { readAccountStatement } from './statement.ts';
import { listTransactions, readBalance, requestTopUp } from './service.ts';

/** Registers the calls on the balance, the alert of a low one, transactions and top-ups. */
export function registerFinance(http: Http, ctx: Context): void {
  route(http, endpoints.readBalance, async (request) => ({
    data: await readBalance(ctx, actorOf(request)),
  }));
  route(http, alertEndpoints.readAlertSettings, async (request) => ({
    data: await readAlertSettings(ctx, actorOf(request)),
  }));
  route(http, alertEndpoints.saveAlertSettings, async (request) => ({
    data: await saveAlertSettings(ctx, actorOf(request), request.body),
  }));
  route(http, endpoints.listTransactions, async (request) => ({
    data: await listTransactions(ctx, actorOf(request), request.query),
  }));
  route(http, endpoints.readStatement, async (request) => ({
    data: await readAccountStatement(ctx, actorOf(request), request.query),
  }));
  route(http, endpoints.readPaymentInstructions, async (request) => ({
    data: await paymentInstructionsFor(ctx, actorOf(request)),
  }));
  route(http, endpoints.requestTopUp, async (request, reply) =>
    created(ctx, request, reply, () => requestTopUp(ctx, actorOf(request), toMicros(request.body.amount))),
  );
}

/** Registers the comparison of spend in reports, ledger and event log, which waits in the queue of reports. */
export function registerReconciliation(http: Http, ctx: Context, queue: ReportQueue): void {
  reportRoute(http, queue, endpoints.reconcileSpend, async (actor, query) =>
    reconcileSpend(ctx, actor, query),
  );
}
