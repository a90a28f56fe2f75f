import * as endpoints from '@bidwell/contract/accounts/api-token-endpoints';
import type { Context } from '../../../context.ts';
import { answering, dataRoute, named } from '../../../platform/http/data-route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createApiToken, listApiTokens, revokeApiToken } from './api-tokens.ts';

/** Registers the calls on API tokens. They require a session; API tokens are not admitted. */
export function registerApiTokens(http: Http, ctx: Context): void {
  dataRoute(http, ctx, endpoints.listApiTokens, named('api_tokens', listApiTokens));
  // No idempotency key: repeating the response would require storing the secret.
  dataRoute(
    http,
    ctx,
    endpoints.createApiToken,
    { config: { answersSecret: true } },
    async (_, actor, body, reply) => {
      void reply.header('cache-control', 'no-store');
      return createApiToken(ctx, actor, body);
    },
  );
  dataRoute(http, ctx, endpoints.revokeApiToken, answering({ revoked: true }, revokeApiToken));
}
