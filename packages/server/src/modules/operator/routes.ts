import * as endpoints from '@bidwell/contract/operator/endpoints';
import { toMicros } from '@bidwell/contract/lib/money';
import { moderatedEntities } from '@bidwell/contract/moderation/schema';
import type { Context } from '../../context.ts';
import { operatorOf } from '../../platform/http/auth/operator-auth.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import {
  creditCompany,
  debitCompany,
  decideTopUp,
  listTransactions,
  pendingTopUps,
} from '../finance/service.ts';
import { changePaymentInstructions, readPaymentInstructions } from '../finance/payment-instructions.ts';
import { lastLedgerCheck, reconcileLedger } from '../finance/check.ts';
import { readRevenue } from '../finance/revenue.ts';
import { readStatement } from '../finance/statement.ts';
import { decide, decideOnMany } from '../moderation/service.ts';
import { moderationQueue } from '../moderation/queue.ts';
import { type TestRequest, registerExchanges } from './exchanges/exchange-routes.ts';
import { viewCompany } from './companies/company-view.ts';
import { changeCompany } from './companies/company-terms.ts';
import { getCompany, listCompanies, resetPassword, suspendCompany } from './companies/companies.ts';
import { listRates, putRate } from './currency-rates.ts';

/** Registers the operator's calls, /api/operator/*, which the command line uses with the operator's token. */
export function registerOperator(http: Http, ctx: Context, testRequest: TestRequest): void {
  registerCompanies(http, ctx);
  registerCompanyMoney(http, ctx);
  registerModeration(http, ctx);
  registerLedger(http, ctx);
  registerExchanges(http, ctx, testRequest);
  registerRates(http, ctx);
}

function registerCompanies(http: Http, ctx: Context): void {
  route(http, endpoints.listCompanies, async (request) => ({
    data: await listCompanies(ctx, operatorOf(request), request.query),
  }));
  route(http, endpoints.readCompany, async (request) => ({
    data: await getCompany(ctx, operatorOf(request), request.params.uuid),
  }));
  route(http, endpoints.changeCompany, async (request) => ({
    data: await changeCompany(ctx, operatorOf(request), request.params.uuid, request.body),
  }));
  route(
    http,
    endpoints.viewCompany,
    async (request, reply) => {
      void reply.code(201);
      return { data: await viewCompany(ctx, operatorOf(request), request.params.uuid) };
    },
    // The address contains a code that works once.
    { config: { answersSecret: true } },
  );
  route(http, endpoints.suspendCompany, async (request) => ({
    data: await suspendCompany(ctx, operatorOf(request), request.params.uuid, request.body),
  }));
  route(
    http,
    endpoints.resetPassword,
    async (request, reply) => {
      const { uuid: companyId, user_uuid: userId } = request.params;
      void reply.code(201);
      return { data: await resetPassword(ctx, operatorOf(request), { companyId, userId }) };
    },
    { config: { answersSecret: true } },
  );
}

function registerCompanyMoney(http: Http, ctx: Context): void {
  route(http, endpoints.creditCompany, async (request, reply) => {
    const { amount, reason } = request.body;
    void reply.code(201);
    return {
      data: await creditCompany(ctx, request.params.uuid, toMicros(amount), reason, operatorOf(request)),
    };
  });
  route(http, endpoints.debitCompany, async (request, reply) => {
    const { amount, reason } = request.body;
    void reply.code(201);
    return {
      data: await debitCompany(ctx, request.params.uuid, toMicros(amount), reason, operatorOf(request)),
    };
  });
  route(http, endpoints.listCompanyTransactions, async (request) => {
    const { uuid: companyId } = request.params;
    await getCompany(ctx, operatorOf(request), companyId);
    return { data: await listTransactions(ctx, { companyId, userId: null }, request.query) };
  });
  route(http, endpoints.readStatement, async (request) => ({
    data: await readStatement(ctx, request.params.uuid, request.query.month),
  }));
}

function registerModeration(http: Http, ctx: Context): void {
  route(http, endpoints.listModeration, async (request) => ({
    data: await moderationQueue(ctx, request.query),
  }));
  route(http, endpoints.decideOnMany, async (request) => {
    const { items, ...decision } = request.body;
    return { data: { results: await decideOnMany(ctx, items, decision, operatorOf(request)) } };
  });
  for (const entity of moderatedEntities)
    route(http, endpoints.decisions[entity], async (request) => {
      await decide(ctx, entity, request.params.uuid, request.body, operatorOf(request));
      return { data: request.body };
    });
}

function registerLedger(http: Http, ctx: Context): void {
  route(http, endpoints.listTopUps, async () => ({ data: { top_ups: await pendingTopUps(ctx) } }));
  route(http, endpoints.decideTopUp, async (request) => ({
    data: await decideTopUp(ctx, request.params.uuid, request.body.status, operatorOf(request)),
  }));
  route(http, endpoints.readPaymentInstructions, async () => ({
    data: await readPaymentInstructions(ctx),
  }));
  route(http, endpoints.changePaymentInstructions, async (request) => ({
    data: await changePaymentInstructions(ctx, operatorOf(request), request.body),
  }));
  route(http, endpoints.readRevenue, async (request) => ({
    data: { days: await readRevenue(ctx, request.query.days) },
  }));
  route(http, endpoints.readLedgerCheck, async () => ({ data: await lastLedgerCheck(ctx) }));
  route(http, endpoints.checkLedger, async () => ({ data: await reconcileLedger(ctx) }));
}

function registerRates(http: Http, ctx: Context): void {
  route(http, endpoints.listRates, async () => ({ data: { rates: await listRates(ctx) } }));
  route(http, endpoints.putRate, async (request) => ({
    data: await putRate(ctx, operatorOf(request), request.params.currency, request.body.dollars),
  }));
}
