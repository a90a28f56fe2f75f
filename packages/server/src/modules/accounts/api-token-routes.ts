import { ApiTokenInput, ApiTokenList, NewApiToken } from '@bidwell/contract/api-token';
import { UuidParams, envelope } from '@bidwell/contract/wire';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { conflictResponse } from '../../platform/http/openapi/document.ts';
import type { Http } from '../../platform/http/server.ts';
import { createApiToken, listApiTokens, revokeApiToken } from './api-tokens.ts';

/** Registers the calls on API tokens. They require a session; API tokens are not admitted. */
export function registerApiTokens(http: Http, engines: Engines): void {
  http.get(
    '/api_tokens',
    { schema: { summary: 'List API tokens', response: { 200: envelope(ApiTokenList) } } },
    async (request) => ({ data: { api_tokens: await listApiTokens(engines, actorOf(request)) } }),
  );

  http.post(
    '/api_tokens',
    {
      schema: {
        summary: 'Make an API token; its secret is answered this once',
        body: ApiTokenInput,
        response: { 201: envelope(NewApiToken), ...conflictResponse },
      },
      // No idempotency key: repeating the response would require storing the secret.
      config: { answersSecret: true },
    },
    async (request, reply) => {
      const made = await createApiToken(engines, actorOf(request), request.body);
      return reply.code(201).header('cache-control', 'no-store').send({ data: made });
    },
  );

  http.delete(
    '/api_tokens/:uuid',
    {
      schema: {
        summary: 'Revoke an API token',
        params: UuidParams,
        response: { 200: envelope(z.object({ revoked: z.literal(true) })) },
      },
      config: { whileSuspended: true },
    },
    async (request) => {
      await revokeApiToken(engines, actorOf(request), request.params.uuid);
      return { data: { revoked: true as const } };
    },
  );
}
