import * as endpoints from '@bidwell/contract/reference/endpoints';
import { listSeenCities } from '@bidwell/contract/insight/forecast-endpoints';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { staleTimes } from '../../lib/api/query-client.ts';

/** A query of the reference list `name`, which is stale after `staleTime`. */
const list = <Item>(name: string, read: () => Promise<Item[]>, staleTime: number = staleTimes.hour) =>
  queryOptions({ queryKey: ['reference', name], queryFn: read, staleTime, gcTime: staleTime });

/** Countries by the United Nations' sub-regions. */
export const subRegionsQuery = list(
  'sub_region',
  async () => (await api.call(endpoints.listSubRegions)).sub_regions,
);
/** The regions of countries, by their two-letter codes. Without any there are none: the list of all has a third of a megabyte. */
export const regionsQuery = (countries: readonly string[]) =>
  list(`regions ${countries.join()}`, async () =>
    countries.length === 0
      ? []
      : (await api.call(endpoints.listRegions, { query: { countries: countries.join() } })).regions,
  );
/** The first regions of all countries that have the words of a text in their names; none for an empty text. */
export const regionSearchQuery = (search: string) =>
  list(`regions like ${search}`, async () =>
    search === '' ? [] : (await api.call(endpoints.listRegions, { query: { search } })).regions,
  );
/** How often cities are read again while the server reads its sample after a start, ms. */
const CITIES_EVERY_MS = 3000;

/** The cities that most bid requests of the last week name. */
export const seenCitiesQuery = (countries: readonly string[]) =>
  queryOptions({
    queryKey: ['reference', `seen_cities ${countries.join()}`],
    queryFn: async () =>
      api.call(listSeenCities, {
        query: { countries: countries.length > 0 ? countries.join() : undefined },
      }),
    staleTime: staleTimes.hour,
    gcTime: staleTimes.hour,
    refetchInterval: ({ state }) => state.data?.is_loading === true && CITIES_EVERY_MS,
  });
export const languagesQuery = list(
  'languages',
  async () => (await api.call(endpoints.listLanguages)).languages,
);
export const connectionTypesQuery = list(
  'connection_types',
  async () => (await api.call(endpoints.listConnectionTypes)).connection_types,
);
export const deviceTypesQuery = list(
  'device_types',
  async () => (await api.call(endpoints.listDeviceTypes)).device_types,
);
export const storeGenresQuery = list(
  'store_genres',
  async () => (await api.call(endpoints.listStoreGenres)).store_genres,
);
export const iabCategoriesQuery = list(
  'iab_categories',
  async () => (await api.call(endpoints.listIabCategories)).iab_categories,
  staleTimes.ever,
);
export const operatingSystemsQuery = list(
  'operating_systems',
  async () => (await api.call(endpoints.listOperatingSystems)).operating_systems,
);
export const sspsQuery = list('ssps', async () => (await api.call(endpoints.listSsps)).ssps, 0);
export const phoneModelsQuery = list(
  'phone_models',
  async () => (await api.call(endpoints.listPhoneModels)).phone_models,
  staleTimes.ever,
);
