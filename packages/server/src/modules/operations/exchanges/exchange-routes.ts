import { BID_REQUEST_BYTES_MAX } from '@bidwell/contract/operator/exchange-test';
import * as endpoints from '@bidwell/contract/operator/endpoints';
import type { Context } from '../../../context.ts';
import { operatorOf } from '../../../platform/http/auth/operator-auth.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { readBidding, switchBidding } from '../bidding.ts';
import { exchangeHealthReader } from './exchange-health.ts';
import { type TestRequest, testExchange } from './exchange-test.ts';
import { readHealth } from '../health.ts';
import { listSsps, listUnpriced, putSsp, rotateSspSecret } from './exchanges.ts';

/** A sample request is a JSON string, in which a quotation mark takes two bytes. */
const TEST_BYTES_MAX = 2 * BID_REQUEST_BYTES_MAX + 1024;

/** Registers the operator's calls on exchanges, the switch that stops all bidding, and the state of the installation. */
export function registerExchanges(http: Http, ctx: Context, testRequest: TestRequest): void {
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
