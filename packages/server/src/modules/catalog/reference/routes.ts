import { listBannerResolutions } from '@bidwell/contract/creatives/endpoints';
import * as endpoints from '@bidwell/contract/reference/endpoints';
import type { FastifyReply } from 'fastify';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { listExchanges, readReleaseList } from './service.ts';

/**
 * Registers the calls on reference lists and banner sizes. They change with a release, so clients may cache them for
 * an hour.
 */
export function registerReference(http: Http, ctx: Context): void {
  route(http, endpoints.listSubRegions, async (request, reply) =>
    cacheable(reply, { sub_regions: [...readReleaseList(ctx, actorOf(request), 'sub_regions')] }),
  );
  route(http, endpoints.listLanguages, async (request, reply) =>
    cacheable(reply, { languages: [...readReleaseList(ctx, actorOf(request), 'languages')] }),
  );
  route(http, endpoints.listConnectionTypes, async (request, reply) =>
    cacheable(reply, { connection_types: [...readReleaseList(ctx, actorOf(request), 'connection_types')] }),
  );
  route(http, endpoints.listDeviceTypes, async (request, reply) =>
    cacheable(reply, { device_types: [...readReleaseList(ctx, actorOf(request), 'device_types')] }),
  );
  route(http, endpoints.listStoreGenres, async (request, reply) =>
    cacheable(reply, { store_genres: [...readReleaseList(ctx, actorOf(request), 'store_genres')] }),
  );
  route(http, endpoints.listIabCategories, async (request, reply) =>
    cacheable(reply, { iab_categories: [...readReleaseList(ctx, actorOf(request), 'iab_categories')] }),
  );
  route(http, endpoints.listPhoneModels, async (request, reply) =>
    cacheable(reply, { phone_models: [...readReleaseList(ctx, actorOf(request), 'phone_models')] }),
  );
  route(http, endpoints.listOperatingSystems, async (request, reply) =>
    cacheable(reply, { operating_systems: [...readReleaseList(ctx, actorOf(request), 'operating_systems')] }),
  );
  route(http, endpoints.listAlgorithms, async (request, reply) =>
    cacheable(reply, { algorithms: [...readReleaseList(ctx, actorOf(request), 'algorithms')] }),
  );
  route(http, endpoints.listSsps, async (request, reply) =>
    cacheable(reply, { ssps: await listExchanges(ctx, actorOf(request)) }),
  );
  route(http, listBannerResolutions, async (request, reply) =>
    cacheable(reply, readReleaseList(ctx, actorOf(request), 'banner_resolutions')),
  );
}

function cacheable<Data>(reply: FastifyReply, data: Data): { data: Data } {
  void reply.header('cache-control', 'private, max-age=3600');
  return { data };
}
