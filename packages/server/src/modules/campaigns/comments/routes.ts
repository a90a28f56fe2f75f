import rateLimit from '@fastify/rate-limit';
import * as endpoints from '@bidwell/contract/comments/endpoints';
import { COMMENTS_PER_MINUTE } from '@bidwell/contract/comments/schema';
import { commentApiMessages } from '@bidwell/contract/comments/api-messages';
import type { Context } from '../../../context.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { answering, dataRoute } from '../../../platform/http/data-route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createRoute } from '../../../platform/idempotency/create-route.ts';
import { addComment, changeComment, deleteComment, listComments } from './service.ts';

/** Registers the calls on comments. */
export async function registerComments(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  const message = commentApiMessages.commentRate(COMMENTS_PER_MINUTE);
  const perPerson = { preHandler: limitTo(http, { max: COMMENTS_PER_MINUTE, per: 'person' }, message) };
  dataRoute(http, ctx, endpoints.listCampaignComments, async (_, actor, { uuid }) => ({
    comments: await listComments(ctx, actor, { kind: 'campaign', uuid }),
  }));
  dataRoute(http, ctx, endpoints.listDraftComments, async (_, actor, { uuid }) => ({
    comments: await listComments(ctx, actor, { kind: 'draft', uuid }),
  }));
  createRoute(http, ctx, endpoints.commentOnCampaign, perPerson, async (_, actor, { uuid, ...body }) =>
    addComment(ctx, actor, { kind: 'campaign', uuid }, body),
  );
  createRoute(http, ctx, endpoints.commentOnDraft, perPerson, async (_, actor, { uuid, ...body }) =>
    addComment(ctx, actor, { kind: 'draft', uuid }, body),
  );
  dataRoute(http, ctx, endpoints.changeComment, changeComment);
  dataRoute(http, ctx, endpoints.deleteComment, answering({ deleted: true }, deleteComment));
}
