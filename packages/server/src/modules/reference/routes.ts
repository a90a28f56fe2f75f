import { bannerResolutions } from '@bidwell/contract/creatives/schema';
import { listBannerResolutions } from '@bidwell/contract/creatives/endpoints';
import * as endpoints from '@bidwell/contract/reference/endpoints';
import { IAB_CATEGORIES } from '@bidwell/contract/reference/iab-categories';
import type { FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import { algorithms, connectionTypes, deviceTypes, languages, storeGenres } from './lists.ts';
import { operatingSystems } from './operating-systems.ts';
import { phoneModels } from './phone-models.ts';
import { activeSsps } from './store.ts';
import { subRegions } from './sub-regions.ts';

/**
 * Registers the calls on reference lists and banner sizes. They change with a release, so clients may cache them for
 * an hour.
 */
export function registerReference(http: Http, ctx: Context): void {
  route(http, endpoints.listSubRegions, async (_request, reply) =>
    cacheable(reply, { sub_regions: [...subRegions] }),
  );
  route(http, endpoints.listLanguages, async (_request, reply) =>
    cacheable(reply, { languages: [...languages] }),
  );
  route(http, endpoints.listConnectionTypes, async (_request, reply) =>
    cacheable(reply, { connection_types: [...connectionTypes] }),
  );
  route(http, endpoints.listDeviceTypes, async (_request, reply) =>
    cacheable(reply, { device_types: [...deviceTypes] }),
  );
  route(http, endpoints.listStoreGenres, async (_request, reply) =>
    cacheable(reply, { store_genres: [...storeGenres] }),
  );
  route(http, endpoints.listIabCategories, async (_request, reply) =>
    cacheable(reply, { iab_categories: [...IAB_CATEGORIES] }),
  );
  route(http, endpoints.listPhoneModels, async (_request, reply) =>
    cacheable(reply, { phone_models: [...phoneModels] }),
  );
  route(http, endpoints.listOperatingSystems, async (_request, reply) =>
    cacheable(reply, { operating_systems: [...operatingSystems] }),
  );
  route(http, endpoints.listAlgorithms, async (_request, reply) =>
    cacheable(reply, { algorithms: [...algorithms] }),
  );
  route(http, endpoints.listSsps, async (_request, reply) => {
    const ssps = await activeSsps(ctx.db);
    return cacheable(reply, { ssps: ssps.map(({ slug, name }) => ({ value: slug, name })) });
  });
  route(http, listBannerResolutions, async (_request, reply) => cacheable(reply, bannerResolutions));
}

function cacheable<Data>(reply: FastifyReply, data: Data): { data: Data } {
  void reply.header('cache-control', 'private, max-age=3600');
  return { data };
}
