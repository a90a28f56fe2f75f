import rateLimit from '@fastify/rate-limit';
import * as endpoints from '@bidwell/contract/comments/endpoints';
import { COMMENTS_PER_MINUTE } from '@bidwell/contract/comments/schema';
import { commentApiMessages } from '@bidwell/contract/comments/api-messages';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { created } from '../../../platform/idempotency/idempotency.ts';
import { addComment, changeComment, deleteComment, listComments } from './service.ts';

/** Registers the calls on comments. */
export async function registerComments(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  const keyGenerator = (request: FastifyRequest) => actorOf(request).userId;
  const perPerson = limitTo(
    http,
    { max: COMMENTS_PER_MINUTE, timeWindow: 60_000, keyGenerator },
    commentApiMessages.commentRate(COMMENTS_PER_MINUTE),
  );
  route(http, endpoints.listCampaignComments, async (request) => ({
    data: {
      comments: await listComments(ctx, actorOf(request), { kind: 'campaign', uuid: request.params.uuid }),
    },
  }));
  route(http, endpoints.listDraftComments, async (request) => ({
    data: {
      comments: await listComments(ctx, actorOf(request), { kind: 'draft', uuid: request.params.uuid }),
    },
  }));
  route(
    http,
    endpoints.commentOnCampaign,
    async (request, reply) =>
      created(ctx, request, reply, () =>
        addComment(ctx, actorOf(request), { kind: 'campaign', uuid: request.params.uuid }, request.body),
      ),
    { preHandler: perPerson },
  );
  route(
    http,
    endpoints.commentOnDraft,
    async (request, reply) =>
      created(ctx, request, reply, () =>
        addComment(ctx, actorOf(request), { kind: 'draft', uuid: request.params.uuid }, request.body),
      ),
    { preHandler: perPerson },
  );
  route(http, endpoints.changeComment, async (request) => ({
    data: await changeComment(ctx, actorOf(request), request.params.uuid, request.body),
  }));
  route(http, endpoints.deleteComment, async (request) => {
    await deleteComment(ctx, actorOf(request), request.params.uuid);
    return { data: { deleted: true as const } };
  });
}
