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
  changeInvoiceSettings,
  downloadCompanyInvoice,
  issueCreditNote,
  issueInvoice,
  listCompanyInvoices,
  listInvoiceRates,
  putInvoiceRate,
  readCompanyBilling,
  readInvoiceSettings,
  sendInvoice,
} from '../money/public.ts';
import { decide, decideOnMany, moderationQueue } from '../moderation/public.ts';
import {
  type TestRequest,
  testExchange,
  listSsps,
  listUnpriced,
  putSsp,
  rotateSspSecret,
} from './exchanges/exchanges.ts';
import {
  viewCompany,
  listCompanyTransactions,
  getCompany,
  listCompanies,
  resetPassword,
  resetSecondFactor,
  suspendCompany,
  changeCompany,
  proveSsoDomain,
} from './companies/companies.ts';
import { listRates, putRate } from './currency-rates.ts';
import { eraseDevice, listDeviceErasures, revokeDeviceErasure } from './device-erasures.ts';
import * as invoices from '@bidwell/contract/operator/invoice-endpoints';
import { goneSignal } from '../../platform/http/gone-signal.ts';
import * as brand from '@bidwell/contract/operator/brand-endpoints';
import { changeBrand, changeLogo, readBrand, removeLogo } from './brand/brand.ts';
import * as skadnetwork from '@bidwell/contract/operator/skadnetwork-endpoints';
import { deleteNetwork, putNetwork } from './skadnetwork/networks.ts';
import {
  listNetworkApps,
  readSkadnetwork,
  switchNetworkApp,
  switchNetworkExchange,
} from './skadnetwork/signing-switches.ts';
import { BID_REQUEST_BYTES_MAX } from '@bidwell/contract/operator/exchange-test';
import { readBidding, switchBidding, readHealth } from './health.ts';
import { exchangeHealthReader } from './exchanges/exchange-health.ts';
import { updateCompany } from '@bidwell/contract/accounts/endpoints';
import { actorOf } from '../../platform/http/auth/auth.ts';
import { changeOwnCompany } from './companies/company-profile.ts';

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

/** Registers the operator's calls on invoices. */
function registerOperatorInvoices(http: Http, ctx: Context): void {
  route(http, invoices.readInvoiceSettings, async (request) => ({
    data: await readInvoiceSettings(ctx, operatorOf(request)),
  }));
  route(http, invoices.changeInvoiceSettings, async (request) => ({
    data: await changeInvoiceSettings(ctx, operatorOf(request), request.body),
  }));
  route(http, invoices.listInvoiceRates, async (request) => ({
    data: { rates: await listInvoiceRates(ctx, operatorOf(request)) },
  }));
  route(http, invoices.putInvoiceRate, async (request) => ({
    data: await putInvoiceRate(ctx, operatorOf(request), { ...request.params, ...request.body }),
  }));
  route(http, invoices.readCompanyBilling, async (request) => ({
    data: await readCompanyBilling(ctx, operatorOf(request), { companyId: request.params.uuid }),
  }));
  route(http, invoices.listCompanyInvoices, async (request) => ({
    data: await listCompanyInvoices(ctx, operatorOf(request), {
      companyId: request.params.uuid,
      ...request.query,
    }),
  }));
  route(http, invoices.issueInvoice, async (request, reply) => {
    const input = { companyId: request.params.uuid, ...request.body };
    void reply.code(201);
    return { data: await issueInvoice(ctx, operatorOf(request), input) };
  });
  route(http, invoices.issueCreditNote, async (request, reply) => {
    void reply.code(201);
    return {
      data: await issueCreditNote(ctx, operatorOf(request), { ...request.params, ...request.body }),
    };
  });
  route(http, invoices.downloadCompanyInvoice, async (request, reply) => {
    const wanted = { ...request.params, signal: goneSignal(reply) };
    return sendInvoice(reply, await downloadCompanyInvoice(ctx, operatorOf(request), wanted));
  });
}

/** Registers the operator's calls on the brand of the installation. */
function registerBrand(http: Http, ctx: Context): void {
  route(http, brand.readBrand, async (request) => ({ data: await readBrand(ctx, operatorOf(request)) }));
  route(http, brand.changeBrand, async (request) => ({
    data: await changeBrand(ctx, operatorOf(request), request.body),
  }));
  route(http, brand.changeLogo, async (request, reply) => {
    const input = { ...request.body, signal: goneSignal(reply) };
    return { data: await changeLogo(ctx, operatorOf(request), input) };
  });
  route(http, brand.removeLogo, async (request) => ({
    data: await removeLogo(ctx, operatorOf(request)),
  }));
}

/** Registers the operator's calls on the ad networks of SKAdNetwork. */
function registerSkadnetwork(http: Http, ctx: Context): void {
  route(http, skadnetwork.readSkadnetwork, async (request) => ({
    data: await readSkadnetwork(ctx, operatorOf(request)),
  }));
  route(http, skadnetwork.putNetwork, async (request) => ({
    data: await putNetwork(ctx, operatorOf(request), { ...request.params, ...request.body }),
  }));
  route(http, skadnetwork.deleteNetwork, async (request) => ({
    data: await deleteNetwork(ctx, operatorOf(request), request.params),
  }));
  route(http, skadnetwork.switchNetworkExchange, async (request) => ({
    data: await switchNetworkExchange(ctx, operatorOf(request), { ...request.params, ...request.body }),
  }));
  route(http, skadnetwork.listNetworkApps, async (request) => ({
    data: await listNetworkApps(ctx, operatorOf(request), request.query),
  }));
  route(http, skadnetwork.switchNetworkApp, async (request) => ({
    data: await switchNetworkApp(ctx, operatorOf(request), { ...request.params, ...request.body }),
  }));
}

/** A sample request is a JSON string, in which a quotation mark takes two bytes. */
const TEST_BYTES_MAX = 2 * BID_REQUEST_BYTES_MAX + 1024;

/** Registers the operator's calls on exchanges, the switch that stops all bidding, and the state of the installation. */
function registerExchanges(http: Http, ctx: Context, testRequest: TestRequest): void {
  route(http, endpoints.readBidding, async (request) => ({
    data: await readBidding(ctx, operatorOf(request)),
  }));
  route(http, endpoints.switchBidding, async (request) => ({
    data: await switchBidding(ctx, operatorOf(request), request.body),
  }));
  route(http, endpoints.readHealth, async (request) => ({
    data: await readHealth(ctx, operatorOf(request)),
  }));
  route(http, endpoints.listExchanges, async (request) => ({
    data: await listSsps(ctx, operatorOf(request)),
  }));
  route(http, endpoints.putExchange, async (request) => ({
    data: await putSsp(ctx, operatorOf(request), { ...request.params, ...request.body }),
  }));
  route(http, endpoints.rotateExchangeSecret, async (request) => ({
    data: await rotateSspSecret(ctx, operatorOf(request), { ...request.params, ...request.body }),
  }));
  const health = exchangeHealthReader(ctx);
  route(http, endpoints.listExchangeHealth, async (request) => ({
    data: await health.all(operatorOf(request), request.query),
  }));
  route(http, endpoints.readExchangeHealth, async (request) => ({
    data: await health.one(operatorOf(request), { ...request.params, ...request.query }),
  }));
  route(http, endpoints.listUnreadablePrices, async (request) => ({
    data: { unreadable_prices: await listUnpriced(ctx, operatorOf(request), request.query) },
  }));
  route(
    http,
    endpoints.testExchange,
    async (request) => ({
      data: await testExchange({ testRequest }, operatorOf(request), { ...request.params, ...request.body }),
    }),
    { bodyLimit: TEST_BYTES_MAX },
  );
}

/** Registers the call by which a company changes its name and time zone. */
export function registerCompanyProfile(http: Http, ctx: Context): void {
  route(http, updateCompany, async (request) => ({
    data: await changeOwnCompany(ctx, actorOf(request), request.params.uid, request.body),
  }));
}
