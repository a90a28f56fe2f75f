import {
  Balance,
  TopUpInput,
  Transaction,
  TransactionList,
  TransactionQuery,
} from '@bidwell/contract/finance';
import { toMicros } from '@bidwell/contract/money';
import { envelope } from '@bidwell/contract/wire';
import type { Engines } from '../../engines.ts';
import { actorOf } from '../../platform/http/auth.ts';
import type { Http } from '../../platform/http/server.ts';
import { created } from '../../platform/idempotency/created.ts';
import { listTransactions, readBalance, requestTopUp } from './service.ts';

export function registerFinance(http: Http, engines: Engines): void {
  http.get(
    '/finance/balance',
    { schema: { summary: 'Read the balance', response: { 200: envelope(Balance) } } },
    async (request) => ({
      data: await readBalance(engines, actorOf(request)),
    }),
  );

  http.get(
    '/finance/transactions',
    {
      schema: {
        summary: 'List transactions',
        querystring: TransactionQuery,
        response: { 200: envelope(TransactionList) },
      },
    },
    async (request) => ({ data: await listTransactions(engines, actorOf(request), request.query) }),
  );

  http.post(
    '/finance/top_up',
    { schema: { summary: 'Ask for funds', body: TopUpInput, response: { 201: envelope(Transaction) } } },
    async (request, reply) =>
      created(engines, request, reply, () =>
        requestTopUp(engines, actorOf(request), toMicros(request.body.amount)),
      ),
  );
}
