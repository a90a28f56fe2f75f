import rateLimit from '@fastify/rate-limit';
import * as endpoints from '@bidwell/contract/accounts/viewer-endpoints';
import { apiMessages } from '@bidwell/contract/text/messages';
import type { Context } from '../../../context.ts';
import { bearer } from '../../../platform/http/auth/bearer.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { endViewerSession, openViewerSession } from './viewer-sessions.ts';

/** Registers the calls by which an operator's browser begins and ends a read-only session. */
export async function registerViewerSessions(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  route(
    http,
    endpoints.openViewerSession,
    async (request) => ({ data: await openViewerSession(ctx, request.body.code) }),
    { preHandler: limitTo(http, { max: 60, timeWindow: 60_000 }, apiMessages.attempts) },
  );
  route(http, endpoints.endViewerSession, async (request) => {
    const token = bearer(request);
    if (token !== undefined) await endViewerSession(ctx, token);
    return { data: { ended: true as const } };
  });
}
