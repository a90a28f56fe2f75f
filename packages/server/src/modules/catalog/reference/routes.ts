import { listBannerResolutions } from '@bidwell/contract/creatives/endpoints';
import * as endpoints from '@bidwell/contract/reference/endpoints';
import type { FastifyReply } from 'fastify';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { dataRoute } from '../../../platform/http/data-route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { type ReleaseLists, listExchanges, listRegions, readReleaseList } from './service.ts';

/**
 * Registers the calls on reference lists and banner sizes. They change with a release, so clients may cache them for
 * an hour.
 */
export function registerReference(http: Http, ctx: Context): void {
  const list =
    <const Name extends ListName>(name: Name) =>
    async (_: Context, actor: Actor, _input: unknown, reply: FastifyReply) =>
      cacheable(reply, { [name]: [...readReleaseList(ctx, actor, name)] } as ListUnder<Name>);
  dataRoute(http, ctx, endpoints.listSubRegions, list('sub_regions'));
  dataRoute(http, ctx, endpoints.listRegions, async (_, actor, input, reply) =>
    cacheable(reply, { regions: listRegions(ctx, actor, input) }),
  );
  dataRoute(http, ctx, endpoints.listLanguages, list('languages'));
  dataRoute(http, ctx, endpoints.listConnectionTypes, list('connection_types'));
  dataRoute(http, ctx, endpoints.listDeviceTypes, list('device_types'));
  dataRoute(http, ctx, endpoints.listStoreGenres, list('store_genres'));
  dataRoute(http, ctx, endpoints.listIabCategories, list('iab_categories'));
  dataRoute(http, ctx, endpoints.listPhoneModels, list('phone_models'));
  dataRoute(http, ctx, endpoints.listOperatingSystems, list('operating_systems'));
  dataRoute(http, ctx, endpoints.listAlgorithms, list('algorithms'));
  dataRoute(http, ctx, endpoints.listSsps, async (_, actor, _input, reply) =>
    cacheable(reply, { ssps: await listExchanges(ctx, actor) }),
  );
  dataRoute(http, ctx, listBannerResolutions, async (_, actor, _input, reply) =>
    cacheable(reply, readReleaseList(ctx, actor, 'banner_resolutions')),
  );
}

type ListName = Exclude<keyof ReleaseLists, 'banner_resolutions'>;
type ListUnder<Name extends ListName> = Record<Name, ReleaseLists[Name][number][]>;

function cacheable<Data>(reply: FastifyReply, data: Data): Data {
  void reply.header('cache-control', 'private, max-age=3600');
  return data;
}
