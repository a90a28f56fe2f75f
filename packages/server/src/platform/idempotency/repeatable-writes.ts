import { type KeyStore, fingerprintOf, keyOf, once } from './once.ts';
import type { Http } from '../http/server.ts';

interface StoredResponse {
  status: number;
  body: object;
}

/**
 * Lets every writing route (all but GET and HEAD) registered after it in the scope take an `Idempotency-Key` of the
 * operator: it runs {@link once}, and a repeated request gets the stored response with `idempotent-replayed: true`. Such
 * a route returns its response body. Each operator has keys of their own.
 */
export function repeatableWrites(http: Http, ctx: KeyStore): void {
  http.addHook('onRoute', (route) => {
    if ([route.method].flat().every((method) => method === 'GET' || method === 'HEAD')) return;
    // A stored response would keep the secret readable in the database.
    if (route.config?.answersSecret) return;
    const { handler } = route;
    route.handler = async function (request, reply) {
      const carryOut = async () => (await handler.call(this, request, reply)) as object;
      const key = keyOf(request);
      if (key === null) return carryOut();
      const own = request.operator?.uuid ? `${request.operator.uuid} ${key}` : key;
      const use = { companyId: null, key: own, fingerprint: fingerprintOf(request, request.body) };
      const { response, replayed } = await once<StoredResponse>(ctx, use, async () => {
        const body = await carryOut();
        return { status: reply.statusCode, body };
      });
      if (replayed) void reply.code(response.status).header('idempotent-replayed', 'true');
      return response.body;
    };
  });
}
