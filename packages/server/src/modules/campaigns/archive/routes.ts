import type { Endpoint } from '@bidwell/contract/lib/endpoint';
import { archiveEndpoints } from '@bidwell/contract/archive/endpoints';
import type { UuidParams } from '@bidwell/contract/lib/wire';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { dataRoute } from '../../../platform/http/data-route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { getAdset } from '../adsets/service.ts';
import { getApp, getCreative, getGroup, getTarget, getTrackingLink } from '../../catalog/public.ts';
import { getCampaign } from '../service.ts';
import { archive, deleteUnused, restore } from './service.ts';

type ArchivableKind = Parameters<typeof archive>[2];

/** Registers `POST …/{uuid}/archive`, `POST …/{uuid}/restore` and `DELETE …/{uuid}` for every kind of entity. */
export function registerArchive(http: Http, ctx: Context): void {
  const register = registrar(http, ctx);
  register('app', archiveEndpoints.app, getApp);
  // Takes the uuid of the asset or of its creative.
  register('creative', archiveEndpoints.internal_creative, getCreative);
  register('creative', archiveEndpoints.creative, getCreative);
  register('creative_group', archiveEndpoints.internal_creative_group, getGroup);
  register('creative_group', archiveEndpoints.creative_group, getGroup);
  register('target', archiveEndpoints.target, getTarget);
  register('tracking_link', archiveEndpoints.tracking_link, getTrackingLink);
  register('adset', archiveEndpoints.adset, getAdset);
  register('campaign', archiveEndpoints.campaign, getCampaign);
}

/** A call that archives or restores an entity and returns it. */
type ArchiveCall<Data> = Endpoint & {
  params: typeof UuidParams;
  form?: undefined;
  query?: undefined;
  body?: undefined;
  response: { 200: z.ZodType<{ data: Data }, { data: Data }> };
};

/** Returns a function that registers the routes of one kind; `read` returns the entity for the response. */
function registrar(http: Http, ctx: Context) {
  return <Data>(
    kind: ArchivableKind,
    endpoints: {
      archive: ArchiveCall<Data>;
      restore: ArchiveCall<Data>;
      remove: typeof archiveEndpoints.app.remove;
    },
    read: (ctx: Context, actor: Actor, uuid: string) => Promise<Data & object>,
  ): void => {
    const change = (endpoint: ArchiveCall<Data>, make: typeof archive) =>
      dataRoute(http, ctx, endpoint, async (_, actor, { uuid }) => {
        const changed = await make(ctx, actor, kind, uuid);
        return read(ctx, actor, changed);
      });
    change(endpoints.archive, archive);
    change(endpoints.restore, restore);
    dataRoute(http, ctx, endpoints.remove, async (_, actor, { uuid }) => ({
      uuid: await deleteUnused(ctx, actor, kind, uuid, read),
    }));
  };
}
