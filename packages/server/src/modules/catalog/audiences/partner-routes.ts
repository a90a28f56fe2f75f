import { audienceApiMessages } from '@bidwell/contract/audiences/api-messages';
import * as endpoints from '@bidwell/contract/audiences/partner-endpoints';
import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { Unauthenticated } from '../../../platform/errors.ts';
import { type ApiKeyAdmission, actorOf, bearer } from '../../../platform/http/auth/auth.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { checkPartnerKey, createPartnerAudience, syncPartnerAudience } from './partner-audiences.ts';

/** Calls a minute of one address, which may be of all advertisers of a partner, and of one company. */
const CALLS_PER_MINUTE = { address: 600, company: 60 };

/** Registers the calls of measurement partners that send audiences. Their API key is in the body, so that it is read after it. */
export async function registerPartnerAudiences(
  http: Http,
  ctx: Context,
  keys: ApiKeyAdmission,
): Promise<void> {
  await http.register(rateLimit, { global: false });
  const byAddress = limitTo(http, { max: CALLS_PER_MINUTE.address });
  const byCompany = limitTo(http, { max: CALLS_PER_MINUTE.company, per: 'company' });
  const admitted = {
    onRequest: byAddress,
    // Before the other fields are checked: a call with a wrong key gets 401, whatever it lacks.
    preValidation: async (request: FastifyRequest): Promise<void> => {
      const { api_key: given } = (request.body ?? {}) as { api_key?: unknown };
      const key = (typeof given === 'string' && given.trim()) || bearer(request);
      request.session = key ? await keys.read(key, request) : null;
      if (!request.session) throw new Unauthenticated(audienceApiMessages.keyUnknown);
      await keys.limit(request);
      await byCompany(request);
    },
  };
  route(http, endpoints.validateAppsFlyerKey, admitted, async (request) =>
    checkPartnerKey(ctx, actorOf(request)),
  );
  route(http, endpoints.createAppsFlyerAudience, admitted, async (request) =>
    createPartnerAudience(ctx, actorOf(request), request.body),
  );
  route(http, endpoints.syncAppsFlyerAudience, admitted, async (request) =>
    syncPartnerAudience(ctx, actorOf(request), request.body),
  );
}
