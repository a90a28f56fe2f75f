import * as endpoints from '@bidwell/contract/drafts/endpoints';
import type { Context } from '../../../context.ts';
import { answering, dataRoute, named } from '../../../platform/http/data-route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createRoute } from '../../../platform/idempotency/create-route.ts';
import { createDraft, discardDraft, getDraft, listDrafts, updateDraft } from './service.ts';

/** Registers the calls on drafts of campaigns. */
export function registerDrafts(http: Http, ctx: Context): void {
  dataRoute(http, ctx, endpoints.listDrafts, named('drafts', listDrafts));
  dataRoute(http, ctx, endpoints.readDraft, async (_, actor, { uuid }) => getDraft(ctx, actor, uuid));
  createRoute(http, ctx, endpoints.createDraft, createDraft);
  dataRoute(http, ctx, endpoints.updateDraft, updateDraft);
  dataRoute(http, ctx, endpoints.discardDraft, answering({ discarded: true }, discardDraft));
}
