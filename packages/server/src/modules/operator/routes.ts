import { toMicros } from '@bidwell/contract/money';
import { Transaction } from '@bidwell/contract/finance';
import {
  CurrencyCode,
  CurrencyRate,
  Decision,
  LedgerCheck,
  ModerationItem,
  MoneyMove,
  OperatorCompany,
  Suspension,
  TopUpItem,
} from '@bidwell/contract/operator';
import { UuidParams, envelope } from '@bidwell/contract/wire';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import type { Http } from '../../platform/http/server.ts';
import {
  reconcileLedger,
  creditCompany,
  debitCompany,
  decideTopUp,
  pendingTopUps,
} from '../finance/service.ts';
import { decide, moderationQueue } from '../moderation/service.ts';
import { registerExchanges } from './exchange-routes.ts';
import { getCompany, listCompanies, listRates, putRate, suspendCompany } from './service.ts';

const Rate = CurrencyRate.extend(CurrencyCode.shape);
const TopUpDecision = z.object({ status: z.enum(['success', 'declined']) });

/** Registers the operator's calls, /api/operator/*, which the command line uses with the operator's token. */
export function registerOperator(http: Http, engines: Engines): void {
  http.get(
    '/companies',
    {
      schema: {
        summary: 'List companies',
        response: { 200: envelope(z.object({ companies: z.array(OperatorCompany) })) },
      },
    },
    async () => ({
      data: { companies: await listCompanies(engines) },
    }),
  );

  http.get(
    '/companies/:uuid',
    {
      schema: { summary: 'Read a company', params: UuidParams, response: { 200: envelope(OperatorCompany) } },
    },
    async (request) => ({
      data: await getCompany(engines, request.params.uuid),
    }),
  );

  for (const [path, move] of [
    ['credit', creditCompany],
    ['debit', debitCompany],
  ] as const) {
    http.post(
      `/companies/:uuid/${path}`,
      {
        schema: {
          summary: path === 'credit' ? 'Credit a company' : 'Debit a company',
          params: UuidParams,
          body: MoneyMove,
          response: { 201: envelope(Transaction) },
        },
      },
      async (request, reply) => {
        const { amount, reason } = request.body;
        void reply.code(201);
        return { data: await move(engines, request.params.uuid, toMicros(amount), reason) };
      },
    );
  }

  http.put(
    '/companies/:uuid/suspension',
    {
      schema: {
        summary: 'Suspend or resume a company',
        params: UuidParams,
        body: Suspension,
        response: { 200: envelope(OperatorCompany) },
      },
    },
    async (request) => ({ data: await suspendCompany(engines, request.params.uuid, request.body.suspended) }),
  );

  http.get(
    '/moderation',
    {
      schema: {
        summary: 'List what waits for review',
        response: { 200: envelope(z.object({ items: z.array(ModerationItem) })) },
      },
    },
    async () => ({
      data: { items: await moderationQueue(engines) },
    }),
  );

  for (const [path, entity] of [
    ['apps', 'app'],
    ['creatives', 'creative'],
    ['creative_groups', 'creative_group'],
    ['tracking_links', 'tracking_link'],
  ] as const) {
    http.post(
      `/${path}/:uuid/decision`,
      {
        schema: {
          summary: `Decide on ${entity === 'app' ? 'an' : 'a'} ${entity.replaceAll('_', ' ')}`,
          params: UuidParams,
          body: Decision,
          response: { 200: envelope(Decision) },
        },
      },
      async (request) => {
        await decide(engines, entity, request.params.uuid, request.body);
        return { data: request.body };
      },
    );
  }

  http.get(
    '/top-ups',
    {
      schema: {
        summary: 'List top-ups that wait',
        response: { 200: envelope(z.object({ top_ups: z.array(TopUpItem) })) },
      },
    },
    async () => ({
      data: { top_ups: await pendingTopUps(engines) },
    }),
  );

  http.post(
    '/top-ups/:uuid/decision',
    {
      schema: {
        summary: 'Confirm or decline a top-up',
        params: UuidParams,
        body: TopUpDecision,
        response: { 200: envelope(Transaction) },
      },
    },
    async (request) => ({ data: await decideTopUp(engines, request.params.uuid, request.body.status) }),
  );

  http.get(
    '/ledger/check',
    { schema: { summary: 'Check the books', response: { 200: envelope(LedgerCheck) } } },
    async () => ({ data: await reconcileLedger(engines) }),
  );

  registerExchanges(http, engines);

  http.get(
    '/rates',
    {
      schema: {
        summary: 'List currency rates',
        response: { 200: envelope(z.object({ rates: z.array(Rate) })) },
      },
    },
    async () => ({ data: { rates: await listRates(engines) } }),
  );

  http.put(
    '/rates/:currency',
    {
      schema: {
        summary: 'Set a currency rate',
        params: CurrencyCode,
        body: CurrencyRate,
        response: { 200: envelope(Rate) },
      },
    },
    async (request) => ({
      data: await putRate(engines, request.params.currency, request.body.dollars),
    }),
  );
}
