import { BannerResolutions, bannerResolutions } from '@bidwell/contract/creative';
import { IAB_CATEGORIES } from '@bidwell/contract/iab-categories';
import { OperatingSystem, PhoneModel, ReferenceItem, SubRegion } from '@bidwell/contract/reference';
import { envelope } from '@bidwell/contract/wire';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import type { Http } from '../../platform/http/server.ts';
import { algorithms, connectionTypes, deviceTypes, languages, storeGenres } from './lists.ts';
import { operatingSystems } from './operating-systems.ts';
import { phoneModels } from './phone-models/list.ts';
import { activeSsps } from './store.ts';
import { subRegions } from './sub-regions.ts';

/**
 * Registers the calls on reference lists and banner sizes. They change with a release, so clients may cache them for
 * an hour.
 */
export function registerReference(http: Http, engines: Engines): void {
  // As in other responses, the list is under its own name.
  const serve = (
    path: string,
    key: string,
    item: z.ZodType,
    read: () => readonly unknown[] | Promise<readonly unknown[]>,
  ) =>
    http.get(
      path,
      {
        schema: {
          summary: `List ${key.replaceAll('_', ' ')}`,
          response: { 200: envelope(z.object({ [key]: z.array(item) })) },
        },
      },
      async (_request, reply) => {
        const items = [...(await read())];
        return reply.header('cache-control', 'private, max-age=3600').send({ data: { [key]: items } });
      },
    );

  serve('/sub_region', 'sub_regions', SubRegion, () => subRegions);
  serve('/languages', 'languages', ReferenceItem, () => languages);
  serve('/connection_types', 'connection_types', ReferenceItem, () => connectionTypes);
  serve('/device_types', 'device_types', ReferenceItem, () => deviceTypes);
  serve('/store_genres', 'store_genres', ReferenceItem, () => storeGenres);
  serve('/iab_categories', 'iab_categories', ReferenceItem, () => IAB_CATEGORIES);
  serve('/phone_models', 'phone_models', PhoneModel, () => phoneModels);
  serve('/operating_systems', 'operating_systems', OperatingSystem, () => operatingSystems);
  serve('/algorithms', 'algorithms', ReferenceItem, () => algorithms);
  serve('/ssps', 'ssps', ReferenceItem, async () =>
    (await activeSsps(engines.db)).map(({ slug, name }) => ({ value: slug, name })),
  );

  http.get(
    '/banner',
    {
      schema: { summary: 'List banner resolutions by group', response: { 200: envelope(BannerResolutions) } },
    },
    async (_request, reply) =>
      reply.header('cache-control', 'private, max-age=3600').send({ data: bannerResolutions }),
  );
}
