import * as endpoints from '@bidwell/contract/operator/endpoints';
import {
  BID_REQUEST_BYTES_MAX,
  type ExchangeTest,
  type ExchangeTestInput,
} from '@bidwell/contract/operator/exchange-test';
import type { Context } from '../../../context.ts';
import { NotFound } from '../../../platform/errors.ts';
import { operatorOf } from '../../../platform/http/auth/operator-auth.ts';
import { publicUrlOf } from '../../../platform/http/public-url.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { readBidding, switchBidding } from '../bidding.ts';
import { exchangeHealthReader } from './exchange-health.ts';
import { readHealth } from '../health.ts';
import { listSsps, listUnpriced, putSsp, rotateSspSecret } from './exchanges.ts';

/** Says how bidders would answer a sample bid request; null if there is no such exchange. */
export type TestRequest = (slug: string, input: ExchangeTestInput) => Promise<ExchangeTest | null>;

/** A sample request is a JSON string, in which a quotation mark takes two bytes. */
const TEST_BYTES_MAX = 2 * BID_REQUEST_BYTES_MAX + 1024;

/** Registers the operator's calls on exchanges, the switch that stops all bidding, and the state of the installation. */
export function registerExchanges(http: Http, ctx: Context, testRequest: TestRequest): void {
  route(http, endpoints.readBidding, async () => ({ data: await readBidding(ctx) }));
  route(http, endpoints.switchBidding, async (request) => ({
    data: await switchBidding(ctx, operatorOf(request), request.body),
  }));
  route(http, endpoints.readHealth, async () => ({ data: await readHealth(ctx) }));
  route(http, endpoints.listExchanges, async (request) => ({
    data: {
      ssps: await listSsps(ctx, operatorOf(request)),
      public_url: publicUrlOf(ctx.config),
      public_url_is_set: ctx.config.publicUrl !== undefined,
    },
  }));
  route(http, endpoints.putExchange, async (request) => ({
    data: await putSsp(ctx, operatorOf(request), request.params.slug, request.body),
  }));
  route(http, endpoints.rotateExchangeSecret, async (request) => ({
    data: await rotateSspSecret(ctx, operatorOf(request), request.params.slug, request.body.end_old),
  }));
  const health = exchangeHealthReader(ctx);
  route(http, endpoints.listExchangeHealth, async (request) => ({ data: await health.all(request.query) }));
  route(http, endpoints.readExchangeHealth, async (request) => ({
    data: await health.one(request.params.slug, request.query),
  }));
  route(http, endpoints.listUnreadablePrices, async (request) => ({
    data: { unreadable_prices: await listUnpriced(ctx, request.query.days) },
  }));
  route(
    http,
    endpoints.testExchange,
    async (request) => {
      const data = await testRequest(request.params.slug, request.body);
      if (!data) throw new NotFound('Exchange');
      return { data };
    },
    { bodyLimit: TEST_BYTES_MAX },
  );
}
