import { z } from 'zod';
import { SsoDomain, SsoDomainInput } from '../accounts/single-sign-on.ts';
import { conflict, endpoint, missing } from '../lib/endpoint.ts';
import { DeviceErasure, DeviceErasureInput } from './device-erasure.ts';
import { ExchangeHealth, ExchangeHealthQuery, ExchangeSummaries } from './exchange-health.ts';
import { Certification } from './certification.ts';
import {
  ReviewAccount,
  ReviewAccountInput,
  ReviewedCreatives,
  ReviewedCreativesQuery,
} from './exchange-review.ts';
import { ExchangeTest, ExchangeTestInput } from './exchange-test.ts';
import {
  PaymentInstructions,
  Transaction,
  TransactionList,
  TransactionQuery,
  paymentInstructionsVersion,
} from '../finance/schema.ts';
import {
  Decision,
  DecisionResults,
  Decisions,
  ModerationFilter,
  type ModerationItem,
  ModerationQueue,
} from '../moderation/schema.ts';
import {
  BillingIdsInput,
  BillingIdsList,
  BiddingState,
  BiddingSwitch,
  CompanyBillingIds,
  CompanyQuery,
  CompanyTerms,
  CurrencyCode,
  CurrencyRate,
  ExchangeCompany,
  ExchangeList,
  LedgerCheck,
  MoneyMove,
  Month,
  OneTimePassword,
  OperatorCompany,
  RevenueDay,
  SecretRotation,
  Ssp,
  SspInput,
  SspSlug,
  Statement,
  Suspension,
  TopUpItem,
  UnpricedNotices,
  operatorCompanyVersion,
  exchangeVersion,
} from './schema.ts';
import { OperatorHealth } from './health.ts';
import { ViewerAddress } from '../accounts/viewer.ts';
import { Uuid, UuidParams, envelope } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';

// Paths are relative to the operator's API.

export const listCompanies = endpoint('GET /companies', {
  summary: 'List companies',
  permission: 'company.read',
  query: CompanyQuery,
  response: {
    200: envelope(z.object({ companies: z.array(OperatorCompany), total: z.number().int() })),
  },
});

export const readCompany = endpoint('GET /companies/:uuid', {
  summary: 'Read a company',
  permission: 'company.read',
  version: operatorCompanyVersion,
  response: { 200: envelope(OperatorCompany) },
});

export const creditCompany = endpoint('POST /companies/:uuid/credit', {
  summary: 'Credit a company',
  permission: 'money.write',
  body: MoneyMove,
  response: { 201: envelope(Transaction) },
});

export const debitCompany = endpoint('POST /companies/:uuid/debit', {
  summary: 'Debit a company',
  permission: 'money.write',
  body: MoneyMove,
  response: { 201: envelope(Transaction) },
});

export const suspendCompany = endpoint('PUT /companies/:uuid/suspension', {
  summary: 'Suspend or resume a company',
  permission: 'company.write',
  body: Suspension,
  version: operatorCompanyVersion,
  response: { 200: envelope(OperatorCompany) },
});

export const changeCompany = endpoint('PATCH /companies/:uuid', {
  summary: "Change a company's credit limit, its margin, its time zone, its storage or the notes on it",
  permission: 'company.terms',
  body: CompanyTerms,
  version: operatorCompanyVersion,
  response: { 200: envelope(OperatorCompany) },
});

export const proveSsoDomain = endpoint('PUT /companies/:uuid/sso-domain', {
  summary: 'Give a company a mail domain for its single sign-on, without a DNS record',
  permission: 'company.write',
  body: SsoDomainInput,
  response: { 200: envelope(SsoDomain), ...conflict },
});

export const resetPassword = endpoint('POST /companies/:uuid/people/:user_uuid/one-time-password', {
  summary: 'Replace the password of a person by a one-time password and end all their sessions',
  permission: 'company.write',
  params: UuidParams.extend({ user_uuid: Uuid }),
  response: { 201: envelope(OneTimePassword) },
});

export const resetSecondFactor = endpoint('DELETE /companies/:uuid/people/:user_uuid/second-factor', {
  summary: 'Remove the second factor of a person who lost it, and end all their sessions',
  permission: 'company.write',
  params: UuidParams.extend({ user_uuid: Uuid }),
  response: { 200: envelope(z.object({ removed: z.literal(true) })) },
});

export const viewCompany = endpoint('POST /companies/:uuid/viewer_sessions', {
  summary: "Prepare a read-only session of an hour in a company's console",
  permission: 'company.view',
  response: { 201: envelope(ViewerAddress) },
});

export const listCompanyTransactions = endpoint('GET /companies/:uuid/transactions', {
  summary: "List a company's transactions, newest first",
  permission: 'company.read',
  query: TransactionQuery,
  response: { 200: envelope(TransactionList) },
});

export const readStatement = endpoint('GET /companies/:uuid/statement', {
  summary: "Read the statement of a company's balance for a month",
  permission: 'company.read',
  query: z.object({ month: Month }),
  response: { 200: envelope(Statement) },
});

export const readRevenue = endpoint('GET /revenue', {
  summary: 'Read spend, media cost, margin and added funds of all companies by day',
  permission: 'money.read',
  query: z.object({ days: z.coerce.number<number>().int().min(1).max(366).default(30) }),
  response: { 200: envelope(z.object({ days: z.array(RevenueDay) })) },
});

export const listModeration = endpoint('GET /moderation', {
  summary: 'List what waits for review, oldest first',
  permission: 'moderation.read',
  query: ModerationFilter,
  response: { 200: envelope(ModerationQueue) },
});

export const decideOnMany = endpoint('POST /moderation/decisions', {
  summary: 'Decide the same on several',
  permission: 'moderation.decide',
  body: Decisions,
  response: { 200: envelope(DecisionResults) },
});

const decideOn = (segment: string, noun: string) =>
  endpoint(`POST /${segment}/:uuid/decision`, {
    summary: `Decide on ${noun}`,
    permission: 'moderation.decide',
    body: Decision,
    response: { 200: envelope(Decision), ...conflict },
  });

/** Moderation decisions, by kind of entity. */
export const decisions = {
  app: decideOn('apps', 'an app'),
  creative: decideOn('creatives', 'a creative'),
  creative_group: decideOn('creative_groups', 'a creative group'),
  tracking_link: decideOn('tracking_links', 'a tracking link'),
} satisfies Record<ModerationItem['entity'], unknown>;

export const listTopUps = endpoint('GET /top-ups', {
  summary: 'List top-ups that wait',
  permission: 'money.read',
  response: { 200: envelope(z.object({ top_ups: z.array(TopUpItem) })) },
});

export const decideTopUp = endpoint('POST /top-ups/:uuid/decision', {
  summary: 'Confirm or decline a top-up',
  permission: 'money.write',
  body: z.object({ status: z.enum(['success', 'declined']) }),
  response: { 200: envelope(Transaction) },
});

export const readPaymentInstructions = endpoint('GET /payment_instructions', {
  summary: 'Read what companies are shown on how to pay',
  permission: 'money.read',
  version: paymentInstructionsVersion,
  response: { 200: envelope(PaymentInstructions) },
});

export const changePaymentInstructions = endpoint('PUT /payment_instructions', {
  summary: 'Change what companies are shown on how to pay',
  permission: 'money.write',
  body: PaymentInstructions,
  version: paymentInstructionsVersion,
  response: { 200: envelope(PaymentInstructions) },
});

export const checkLedger = endpoint('GET /ledger/check', {
  summary: 'Check the ledger',
  permission: 'money.read',
  response: { 200: envelope(LedgerCheck) },
});

export const readBidding = endpoint('GET /bidding', {
  summary: 'Read whether all bidding is stopped',
  permission: 'server.read',
  response: { 200: envelope(BiddingState) },
});

export const switchBidding = endpoint('PUT /bidding', {
  summary: 'Stop all bidding, or let it go on',
  permission: 'bidding.write',
  body: BiddingSwitch,
  response: { 200: envelope(BiddingState) },
});

export const readHealth = endpoint('GET /health', {
  summary: 'Read the state of all processes and databases',
  permission: 'server.read',
  response: { 200: envelope(OperatorHealth) },
});

export const readLedgerCheck = endpoint('GET /ledger/check/last', {
  summary: 'Read the result of the last check of the ledger',
  permission: 'money.read',
  response: { 200: envelope(LedgerCheck.nullable()) },
});

export const listExchanges = endpoint('GET /ssps', {
  summary: 'List exchanges',
  permission: 'exchange.read',
  response: { 200: envelope(ExchangeList) },
});

export const putExchange = endpoint('PUT /ssps/:slug', {
  summary: 'Add or change an exchange',
  permission: 'exchange.write',
  params: SspSlug,
  body: SspInput,
  version: exchangeVersion,
  response: { 200: envelope(Ssp) },
});

export const rotateExchangeSecret = endpoint('POST /ssps/:slug/rotate', {
  summary: 'Make a new secret for an exchange',
  permission: 'exchange.write',
  params: SspSlug,
  body: SecretRotation,
  response: { 200: envelope(Ssp) },
});

export const listExchangeHealth = endpoint('GET /ssps/health', {
  summary: 'Read the traffic of all exchanges',
  permission: 'exchange.read',
  query: ExchangeHealthQuery,
  response: { 200: envelope(ExchangeSummaries) },
});

export const readExchangeHealth = endpoint('GET /ssps/:slug/health', {
  summary: 'Read the traffic of an exchange by minute, and why it gets no bids and bids are lost',
  permission: 'exchange.read',
  params: SspSlug,
  query: ExchangeHealthQuery,
  response: { 200: envelope(ExchangeHealth) },
});

export const testExchange = endpoint('POST /ssps/:slug/test', {
  summary: 'Say how bidders would answer a sample bid request of an exchange',
  permission: 'exchange.read',
  params: SspSlug,
  body: ExchangeTestInput,
  response: { 200: envelope(ExchangeTest) },
});

export const certifyExchange = endpoint('POST /ssps/:slug/certify', {
  summary: 'Run the contract cases of an exchange, with a sample advertiser',
  permission: 'exchange.read',
  params: SspSlug,
  response: { 200: envelope(Certification) },
});

export const listBillingIds = endpoint('GET /ssps/:slug/billing-ids', {
  summary: 'List the billing ids of companies at an exchange',
  permission: 'exchange.read',
  params: SspSlug,
  response: { 200: envelope(BillingIdsList) },
});

export const putBillingIds = endpoint('PUT /ssps/:slug/billing-ids/:company_uuid', {
  summary: 'Set the billing ids of a company at an exchange that bills each buyer',
  permission: 'exchange.write',
  params: ExchangeCompany,
  body: BillingIdsInput,
  response: { 200: envelope(CompanyBillingIds) },
});

export const readReviewAccount = endpoint('GET /ssps/:slug/review', {
  summary: 'Read how creatives are submitted to an exchange for review',
  permission: 'exchange.read',
  params: SspSlug,
  response: { 200: envelope(ReviewAccount) },
});

export const putReviewAccount = endpoint('PUT /ssps/:slug/review', {
  summary: 'Set the account and credentials with which creatives are submitted to an exchange',
  permission: 'exchange.write',
  params: SspSlug,
  body: ReviewAccountInput,
  response: { 200: envelope(ReviewAccount), ...conflict },
});

export const listReviewedCreatives = endpoint('GET /ssps/:slug/creative-reviews', {
  summary: 'List the creatives of all companies that an exchange reviews, the latest first',
  permission: 'exchange.read',
  params: SspSlug,
  query: ReviewedCreativesQuery,
  response: { 200: envelope(ReviewedCreatives) },
});

export const listUnreadablePrices = endpoint('GET /unreadable-prices', {
  summary: 'List notices without a price that can be charged',
  permission: 'exchange.read',
  query: z.object({ days: z.coerce.number<number>().int().min(1).max(366).default(7) }),
  response: { 200: envelope(z.object({ unreadable_prices: z.array(UnpricedNotices) })) },
});

const Rate = CurrencyRate.extend(CurrencyCode.shape);
const rateVersion = entityVersion(Rate);

export const listRates = endpoint('GET /rates', {
  summary: 'List currency rates',
  permission: 'exchange.read',
  response: { 200: envelope(z.object({ rates: z.array(Rate) })) },
});

export const putRate = endpoint('PUT /rates/:currency', {
  summary: 'Set a currency rate',
  permission: 'exchange.write',
  params: CurrencyCode,
  body: CurrencyRate,
  version: rateVersion,
  response: { 200: envelope(Rate) },
});

export const eraseDevice = endpoint('POST /device-erasures', {
  summary: 'Erase a device or a person: nothing is stored of it any more, and what is stored is removed',
  permission: 'device.erase',
  body: DeviceErasureInput,
  response: { 201: envelope(DeviceErasure) },
});

export const listDeviceErasures = endpoint('GET /device-erasures', {
  summary: 'List the last 100 erasures of devices, with what they found',
  permission: 'device.erase',
  response: { 200: envelope(z.object({ erasures: z.array(DeviceErasure) })) },
});

export const revokeDeviceErasure = endpoint('DELETE /device-erasures/:uuid', {
  summary: 'Revoke the erasure of a device: later postbacks count again, what was deleted stays deleted',
  permission: 'device.erase',
  response: { 200: envelope(DeviceErasure), ...missing, ...conflict },
});

/** Content type of a backup: lines of JSON, and after a line that names a file its bytes. */
export const BACKUP = 'application/x-bidwell-backup';

export const readBackup = endpoint('GET /backup', {
  summary: 'Make a backup and stream it, for the command line',
  permission: 'backup.read',
  response: { 200: { content: { [BACKUP]: { schema: z.string() } } } },
});
