import * as endpoints from '@bidwell/contract/operator/endpoints';
import { toMicros } from '@bidwell/contract/lib/money';
import { moderatedEntities } from '@bidwell/contract/moderation/schema';
import type { Context } from '../../context.ts';
import { operatorOf } from '../../platform/http/auth/operator-auth.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import {
  changePaymentInstructions,
  creditCompany,
  debitCompany,
  decideTopUp,
  lastLedgerCheck,
  pendingTopUps,
  readPaymentInstructionsAsOperator,
  readRevenue,
  readStatement,
  reconcileLedger,
} from '../money/public.ts';
import { decide, decideOnMany, moderationQueue } from '../moderation/public.ts';
import { registerExchanges } from './exchanges/exchange-routes.ts';
import type { TestRequest } from './exchanges/exchange-test.ts';
import { viewCompany } from './companies/company-view.ts';
import { changeCompany } from './companies/company-terms.ts';
import { listCompanyTransactions } from './companies/company-transactions.ts';
import {
  getCompany,
  listCompanies,
  resetPassword,
  resetSecondFactor,
  suspendCompany,
} from './companies/companies.ts';
import { registerBrand } from './brand/brand-routes.ts';
import { registerOperatorInvoices } from './invoice-routes.ts';
import { proveSsoDomain } from './companies/sso-domains.ts';
import { registerSkadnetwork } from './skadnetwork/skadnetwork-routes.ts';
import { listRates, putRate } from './currency-rates.ts';
import { eraseDevice, listDeviceErasures, revokeDeviceErasure } from './device-erasures.ts';

/** Registers the operator's calls, /api/operator/*, which the command line uses with the operator's token. */
export function registerOperator(http: Http, ctx: Context, testRequest: TestRequest): void {
  registerCompanies(http, ctx);
  registerCompanyMoney(http, ctx);
  registerModeration(http, ctx);
  registerLedger(http, ctx);
  registerExchanges(http, ctx, testRequest);
  registerRates(http, ctx);
  registerErasures(http, ctx);
  registerSkadnetwork(http, ctx);
  registerOperatorInvoices(http, ctx);
  registerBrand(http, ctx);
}

function registerCompanies(http: Http, ctx: Context): void {
  route(http, endpoints.listCompanies, async (request) => ({
    data: await listCompanies(ctx, operatorOf(request), request.query),
  }));
  route(http, endpoints.readCompany, async (request) => ({
    data: await getCompany(ctx, operatorOf(request), companyOf(request)),
  }));
  route(http, endpoints.changeCompany, async (request) => ({
    data: await changeCompany(ctx, operatorOf(request), { ...companyOf(request), ...request.body }),
  }));
  route(
    http,
    endpoints.viewCompany,
    async (request, reply) => {
      void reply.code(201);
      return { data: await viewCompany(ctx, operatorOf(request), companyOf(request)) };
    },
    // The address contains a code that works once.
    { config: { answersSecret: true } },
  );
  route(http, endpoints.suspendCompany, async (request) => ({
    data: await suspendCompany(ctx, operatorOf(request), { ...companyOf(request), ...request.body }),
  }));
  route(http, endpoints.proveSsoDomain, async (request) => ({
    data: await proveSsoDomain(ctx, operatorOf(request), { ...companyOf(request), ...request.body }),
  }));
  route(
    http,
    endpoints.resetPassword,
    async (request, reply) => {
      const person = { ...companyOf(request), userId: request.params.user_uuid };
      void reply.code(201);
      return { data: await resetPassword(ctx, operatorOf(request), person) };
    },
    { config: { answersSecret: true } },
  );
  route(http, endpoints.resetSecondFactor, async (request) => {
    const person = { ...companyOf(request), userId: request.params.user_uuid };
    await resetSecondFactor(ctx, operatorOf(request), person);
    return { data: { removed: true as const } };
  });
}

const companyOf = ({ params }: { params: { uuid: string } }) => ({ companyId: params.uuid });

function registerCompanyMoney(http: Http, ctx: Context): void {
  const moves = [
    [endpoints.creditCompany, creditCompany],
    [endpoints.debitCompany, debitCompany],
  ] as const;
  for (const [endpoint, move] of moves)
    route(http, endpoint, async (request, reply) => {
      const { amount, reason } = request.body;
      const input = { ...companyOf(request), micros: toMicros(amount), reason };
      void reply.code(201);
      return { data: await move(ctx, operatorOf(request), input) };
    });
  route(http, endpoints.listCompanyTransactions, async (request) => ({
    data: await listCompanyTransactions(ctx, operatorOf(request), {
      ...companyOf(request),
      ...request.query,
    }),
  }));
  route(http, endpoints.readStatement, async (request) => ({
    data: await readStatement(ctx, operatorOf(request), { ...companyOf(request), ...request.query }),
  }));
}

function registerModeration(http: Http, ctx: Context): void {
  route(http, endpoints.listModeration, async (request) => ({
    data: await moderationQueue(ctx, operatorOf(request), request.query),
  }));
  route(http, endpoints.decideOnMany, async (request) => ({
    data: await decideOnMany(ctx, operatorOf(request), request.body),
  }));
  for (const entity of moderatedEntities)
    route(http, endpoints.decisions[entity], async (request) => {
      await decide(ctx, operatorOf(request), { entity, ...request.params, ...request.body });
      return { data: request.body };
    });
}

function registerLedger(http: Http, ctx: Context): void {
  route(http, endpoints.listTopUps, async (request) => ({
    data: { top_ups: await pendingTopUps(ctx, operatorOf(request)) },
  }));
  route(http, endpoints.decideTopUp, async (request) => ({
    data: await decideTopUp(ctx, operatorOf(request), {
      transactionId: request.params.uuid,
      ...request.body,
    }),
  }));
  route(http, endpoints.readPaymentInstructions, async (request) => ({
    data: await readPaymentInstructionsAsOperator(ctx, operatorOf(request)),
  }));
  route(http, endpoints.changePaymentInstructions, async (request) => ({
    data: await changePaymentInstructions(ctx, operatorOf(request), request.body),
  }));
  route(http, endpoints.readRevenue, async (request) => ({
    data: { days: await readRevenue(ctx, operatorOf(request), request.query) },
  }));
  route(http, endpoints.readLedgerCheck, async (request) => ({
    data: await lastLedgerCheck(ctx, operatorOf(request)),
  }));
  route(http, endpoints.checkLedger, async (request) => ({
    data: await reconcileLedger(ctx, operatorOf(request)),
  }));
}

function registerRates(http: Http, ctx: Context): void {
  route(http, endpoints.listRates, async (request) => ({
    data: { rates: await listRates(ctx, operatorOf(request)) },
  }));
  route(http, endpoints.putRate, async (request) => ({
    data: await putRate(ctx, operatorOf(request), { ...request.params, ...request.body }),
  }));
}

function registerErasures(http: Http, ctx: Context): void {
  route(http, endpoints.eraseDevice, async (request, reply) => {
    void reply.code(201);
    return { data: await eraseDevice(ctx, operatorOf(request), request.body) };
  });
  route(http, endpoints.listDeviceErasures, async (request) => ({
    data: { erasures: await listDeviceErasures(ctx, operatorOf(request)) },
  }));
  route(http, endpoints.revokeDeviceErasure, async (request) => ({
    data: await revokeDeviceErasure(ctx, operatorOf(request), request.params),
  }));
}
