import type { OperatingSystem, PhoneModel, ReferenceItem, SubRegion } from '@bidwell/contract/reference';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api-client.ts';
import { staleTimes } from '../query-client.ts';

const list = <Item>(name: string, staleTime: number = staleTimes.hour) =>
  queryOptions({
    queryKey: ['reference', name],
    queryFn: async () => Object.values(await api.get<Record<string, Item[]>>(`/${name}`))[0]!,
    staleTime,
    gcTime: staleTime,
  });

/** Countries by the United Nations' sub-regions. */
export const subRegionsQuery = queryOptions({
  queryKey: ['reference', 'sub_region'],
  queryFn: async () => (await api.get<{ sub_regions: SubRegion[] }>('/sub_region')).sub_regions,
  staleTime: staleTimes.hour,
  gcTime: staleTimes.hour,
});
export const languagesQuery = list<ReferenceItem>('languages');
export const connectionTypesQuery = list<ReferenceItem>('connection_types');
export const deviceTypesQuery = list<ReferenceItem>('device_types');
export const storeGenresQuery = list<ReferenceItem>('store_genres');
export const iabCategoriesQuery = list<ReferenceItem>('iab_categories', staleTimes.ever);
export const operatingSystemsQuery = list<OperatingSystem>('operating_systems');
export const sspsQuery = list<ReferenceItem>('ssps', 0);
export const phoneModelsQuery = list<PhoneModel>('phone_models', staleTimes.ever);
