import multipart from '@fastify/multipart';
import * as endpoints from '@bidwell/contract/audiences/endpoints';
import { limits } from '@bidwell/contract/lib/limits';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { dataRoute, named } from '../../../platform/http/data-route.ts';
import { goneSignal } from '../../../platform/http/gone-signal.ts';
import { formRoute } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createRoute } from '../../../platform/idempotency/create-route.ts';
import {
  createAudience,
  deleteAudience,
  getAudience,
  listAudienceImports,
  listAudiences,
  refreshAudience,
  updateAudience,
} from './service.ts';
import { partQueue, withPart } from './receive-part.ts';
import { beginUpload, changeIds, finishUpload, readUpload, sendPart } from './uploads.ts';

/** Registers the calls on audiences. Needs a Fastify scope of its own, because the multipart parser applies to all of it. */
export async function registerAudiences(http: Http, ctx: Context): Promise<void> {
  await http.register(multipart, {
    limits: { files: 1, fields: 0, parts: 1, fileSize: limits.audiencePartBytesMax + 1 },
  });
  dataRoute(http, ctx, endpoints.listAudiences, named('audiences', listAudiences));
  dataRoute(http, ctx, endpoints.readAudience, async (_, actor, { uuid }) => getAudience(ctx, actor, uuid));
  dataRoute(http, ctx, endpoints.listAudienceImports, named('imports', listAudienceImports));
  createRoute(http, ctx, endpoints.createAudience, createAudience);
  dataRoute(http, ctx, endpoints.updateAudience, updateAudience);
  dataRoute(http, ctx, endpoints.deleteAudience, deleteAudience);
  dataRoute(http, ctx, endpoints.refreshAudience, refreshAudience);
  dataRoute(http, ctx, endpoints.changeAudienceIds, changeIds);
  dataRoute(http, ctx, endpoints.beginAudienceUpload, beginUpload);
  dataRoute(http, ctx, endpoints.readAudienceUpload, readUpload);
  dataRoute(http, ctx, endpoints.finishAudienceUpload, finishUpload);
  formRoute(
    http,
    endpoints.sendAudiencePart,
    { bodyLimit: limits.audiencePartBytesMax + limits.jsonBodyBytesMax },
    async (request, reply) => {
      const actor = actorOf(request);
      const receive = async () =>
        withPart(ctx, request, async (part) => ({
          data: await sendPart(ctx, actor, { ...request.params, ...request.query, part }),
        }));
      return partQueue.run(actor.companyId, receive, { signal: goneSignal(reply) });
    },
  );
}
