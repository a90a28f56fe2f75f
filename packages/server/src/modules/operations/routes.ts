import * as endpoints from '@bidwell/contract/operator/endpoints';
import { toMicros } from '@bidwell/contract/lib/money';
import { moderatedEntities } from '@bidwell/contract/moderation/schema';
import type { Context } from '../../context.ts';
import { operatorOf } from '../../platform/http/auth/operator-auth.ts';
import { dataRoute, named } from '../../platform/http/data-route.ts';
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
import {
  decide,
  decideOnMany,
  listReviewedCreatives,
  moderationQueue,
  putReviewAccount,
  readReviewAccount,
} from '../moderation/public.ts';
import { listBillingIds, setBillingIds } from './exchanges/billing-ids.ts';
import {
  type ExchangeTests,
  certifyExchange,
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
import { changeOwnCompany } from './companies/company-profile.ts';

/** Registers the operator's calls, /api/operator/*, which the command line uses with the operator's token. */
export function registerOperator(http: Http, ctx: Context, tests: ExchangeTests): void {
  registerCompanies(http, ctx);
  registerCompanyMoney(http, ctx);
  registerModeration(http, ctx);
  registerLedger(http, ctx);
  registerExchanges(http, ctx, tests);
  registerRates(http, ctx);
  registerErasures(http, ctx);
  registerSkadnetwork(http, ctx);
  registerOperatorInvoices(http, ctx);
  registerBrand(http, ctx);
}

function registerCompanies(http: Http, ctx: Context): void {
  dataRoute(http, ctx, endpoints.listCompanies, listCompanies);
  dataRoute(http, ctx, endpoints.readCompany, getCompany);
  dataRoute(http, ctx, endpoints.changeCompany, changeCompany);
  // The address contains a code that works once.
  dataRoute(http, ctx, endpoints.viewCompany, { config: { answersSecret: true } }, viewCompany);
  dataRoute(http, ctx, endpoints.suspendCompany, suspendCompany);
  dataRoute(http, ctx, endpoints.proveSsoDomain, proveSsoDomain);
  dataRoute(
    http,
    ctx,
    endpoints.resetPassword,
    { config: { answersSecret: true } },
    async (_, operator, { uuid, user_uuid }) =>
      resetPassword(ctx, operator, { companyId: uuid, userId: user_uuid }),
  );
  dataRoute(http, ctx, endpoints.resetSecondFactor, async (_, operator, { uuid, user_uuid }) => {
    await resetSecondFactor(ctx, operator, { companyId: uuid, userId: user_uuid });
    return { removed: true as const };
  });
}

function registerCompanyMoney(http: Http, ctx: Context): void {
  const moves = [
    [endpoints.creditCompany, creditCompany],
    [endpoints.debitCompany, debitCompany],
  ] as const;
  for (const [endpoint, move] of moves)
    dataRoute(http, ctx, endpoint, async (_, operator, { uuid, amount, reason }) =>
      move(ctx, operator, { companyId: uuid, micros: toMicros(amount), reason }),
    );
  dataRoute(http, ctx, endpoints.listCompanyTransactions, listCompanyTransactions);
  dataRoute(http, ctx, endpoints.readStatement, readStatement);
}

function registerModeration(http: Http, ctx: Context): void {
  dataRoute(http, ctx, endpoints.listModeration, moderationQueue);
  dataRoute(http, ctx, endpoints.decideOnMany, decideOnMany);
  for (const entity of moderatedEntities)
    dataRoute(http, ctx, endpoints.decisions[entity], async (_, operator, { uuid, ...decision }) => {
      await decide(ctx, operator, { entity, uuid, ...decision });
      return decision;
    });
}

function registerLedger(http: Http, ctx: Context): void {
  dataRoute(http, ctx, endpoints.listTopUps, named('top_ups', pendingTopUps));
  dataRoute(http, ctx, endpoints.decideTopUp, async (_, operator, { uuid, ...body }) =>
    decideTopUp(ctx, operator, { transactionId: uuid, ...body }),
  );
  dataRoute(http, ctx, endpoints.readPaymentInstructions, readPaymentInstructionsAsOperator);
  dataRoute(http, ctx, endpoints.changePaymentInstructions, changePaymentInstructions);
  dataRoute(http, ctx, endpoints.readRevenue, named('days', readRevenue));
  dataRoute(http, ctx, endpoints.readLedgerCheck, lastLedgerCheck);
  dataRoute(http, ctx, endpoints.checkLedger, reconcileLedger);
}

function registerRates(http: Http, ctx: Context): void {
  dataRoute(http, ctx, endpoints.listRates, named('rates', listRates));
  dataRoute(http, ctx, endpoints.putRate, putRate);
}

function registerErasures(http: Http, ctx: Context): void {
  dataRoute(http, ctx, endpoints.eraseDevice, eraseDevice);
  dataRoute(http, ctx, endpoints.listDeviceErasures, named('erasures', listDeviceErasures));
  dataRoute(http, ctx, endpoints.revokeDeviceErasure, revokeDeviceErasure);
}

/** Registers the operator's calls on invoices. */
function registerOperatorInvoices(http: Http, ctx: Context): void {
  dataRoute(http, ctx, invoices.readInvoiceSettings, readInvoiceSettings);
  dataRoute(http, ctx, invoices.changeInvoiceSettings, changeInvoiceSettings);
  dataRoute(http, ctx, invoices.listInvoiceRates, named('rates', listInvoiceRates));
  dataRoute(http, ctx, invoices.putInvoiceRate, putInvoiceRate);
  dataRoute(http, ctx, invoices.readCompanyBilling, readCompanyBilling);
  dataRoute(http, ctx, invoices.listCompanyInvoices, listCompanyInvoices);
  dataRoute(http, ctx, invoices.issueInvoice, async (_, operator, { uuid, ...body }) =>
    issueInvoice(ctx, operator, { companyId: uuid, ...body }),
  );
  dataRoute(http, ctx, invoices.issueCreditNote, issueCreditNote);
  route(http, invoices.downloadCompanyInvoice, async (request, reply) => {
    const wanted = { ...request.params, signal: goneSignal(reply) };
    return sendInvoice(reply, await downloadCompanyInvoice(ctx, operatorOf(request), wanted));
  });
}

/** Registers the operator's calls on the brand of the installation. */
function registerBrand(http: Http, ctx: Context): void {
  dataRoute(http, ctx, brand.readBrand, readBrand);
  dataRoute(http, ctx, brand.changeBrand, changeBrand);
  dataRoute(http, ctx, brand.changeLogo, async (_, operator, body, reply) =>
    changeLogo(ctx, operator, { ...body, signal: goneSignal(reply) }),
  );
  dataRoute(http, ctx, brand.removeLogo, removeLogo);
}

/** Registers the operator's calls on the ad networks of SKAdNetwork. */
function registerSkadnetwork(http: Http, ctx: Context): void {
  dataRoute(http, ctx, skadnetwork.readSkadnetwork, readSkadnetwork);
  dataRoute(http, ctx, skadnetwork.putNetwork, putNetwork);
  dataRoute(http, ctx, skadnetwork.deleteNetwork, deleteNetwork);
  dataRoute(http, ctx, skadnetwork.switchNetworkExchange, switchNetworkExchange);
  dataRoute(http, ctx, skadnetwork.listNetworkApps, listNetworkApps);
  dataRoute(http, ctx, skadnetwork.switchNetworkApp, switchNetworkApp);
}

/** A sample request is a JSON string, in which a quotation mark takes two bytes. */
const TEST_BYTES_MAX = 2 * BID_REQUEST_BYTES_MAX + 1024;

/** Registers the operator's calls on exchanges, the switch that stops all bidding, and the state of the installation. */
function registerExchanges(http: Http, ctx: Context, tests: ExchangeTests): void {
  dataRoute(http, ctx, endpoints.readBidding, readBidding);
  dataRoute(http, ctx, endpoints.switchBidding, switchBidding);
  dataRoute(http, ctx, endpoints.readHealth, readHealth);
  dataRoute(http, ctx, endpoints.listExchanges, listSsps);
  dataRoute(http, ctx, endpoints.putExchange, putSsp);
  dataRoute(http, ctx, endpoints.rotateExchangeSecret, rotateSspSecret);
  dataRoute(http, ctx, endpoints.listBillingIds, listBillingIds);
  dataRoute(http, ctx, endpoints.putBillingIds, setBillingIds);
  dataRoute(http, ctx, endpoints.readReviewAccount, readReviewAccount);
  dataRoute(http, ctx, endpoints.putReviewAccount, putReviewAccount);
  dataRoute(http, ctx, endpoints.listReviewedCreatives, listReviewedCreatives);
  const health = exchangeHealthReader(ctx);
  dataRoute(http, ctx, endpoints.listExchangeHealth, async (_, operator, query) =>
    health.all(operator, query),
  );
  dataRoute(http, ctx, endpoints.readExchangeHealth, async (_, operator, input) =>
    health.one(operator, input),
  );
  dataRoute(http, ctx, endpoints.listUnreadablePrices, named('unreadable_prices', listUnpriced));
  dataRoute(http, tests, endpoints.testExchange, { bodyLimit: TEST_BYTES_MAX }, testExchange);
  dataRoute(http, tests, endpoints.certifyExchange, certifyExchange);
}

/** Registers the call by which a company changes its name and time zone. */
export function registerCompanyProfile(http: Http, ctx: Context): void {
  dataRoute(http, ctx, updateCompany, async (_, actor, { uid, ...body }) =>
    changeOwnCompany(ctx, actor, uid, body),
  );
}
