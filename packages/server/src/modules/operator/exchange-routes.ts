import { SecretRotation, Ssp, SspInput, SspSlug, UnpricedNotices } from '@bidwell/contract/operator';
import { envelope } from '@bidwell/contract/wire';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import type { Http } from '../../platform/http/server.ts';
import { listSsps, listUnpriced, putSsp, rotateSspSecret } from './exchanges.ts';

/** Registers the operator's calls on exchanges. */
export function registerExchanges(http: Http, engines: Engines): void {
  http.get(
    '/ssps',
    { schema: { summary: 'List exchanges', response: { 200: envelope(z.object({ ssps: z.array(Ssp) })) } } },
    async () => ({ data: { ssps: await listSsps(engines) } }),
  );

  http.put(
    '/ssps/:slug',
    {
      schema: {
        summary: 'Add or change an exchange',
        params: SspSlug,
        body: SspInput,
        response: { 200: envelope(Ssp) },
      },
    },
    async (request) => ({ data: await putSsp(engines, request.params.slug, request.body) }),
  );

  http.post(
    '/ssps/:slug/rotate',
    {
      schema: {
        summary: 'Make a new secret for an exchange',
        params: SspSlug,
        body: SecretRotation,
        response: { 200: envelope(Ssp) },
      },
    },
    async (request) => ({
      data: await rotateSspSecret(engines, request.params.slug, request.body.end_old),
    }),
  );

  http.get(
    '/unreadable-prices',
    {
      schema: {
        summary: 'List notices without a price that can be charged',
        querystring: z.object({ days: z.coerce.number().int().min(1).max(366).default(7) }),
        response: { 200: envelope(z.object({ unreadable_prices: z.array(UnpricedNotices) })) },
      },
    },
    async (request) => ({ data: { unreadable_prices: await listUnpriced(engines, request.query.days) } }),
  );
}
