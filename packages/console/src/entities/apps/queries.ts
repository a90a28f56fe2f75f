import type { AppInput, AppUpdate } from '@bidwell/contract/apps/schema';
import * as endpoints from '@bidwell/contract/apps/endpoints';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { addToList, queryClient } from '../../lib/api/query-client.ts';

/** All apps of the company. */
export const appsQuery = queryOptions({
  queryKey: ['app'],
  queryFn: async () => (await api.call(endpoints.listApps)).apps,
});

export const appQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['app', uuid],
    queryFn: () => api.call(endpoints.readApp, { params: { uuid } }),
    gcTime: 0,
  });

/** Parses a store link and, where possible, reads the app's page in the store. */
export const parseLink = (link: string) => api.call(endpoints.parseStoreLink, { body: { link } });

const refetch = <T>(done: T): T => {
  void queryClient.invalidateQueries({ queryKey: ['app'] });
  return done;
};

export async function createApp(input: AppInput) {
  const created = await api.create(endpoints.createApp, { body: input });
  addToList(appsQuery, created);
  return created;
}

export const updateApp = (uuid: string, input: AppUpdate) =>
  api.call(endpoints.updateApp, { params: { uuid }, body: input }).then(refetch);
export const deleteApps = (uuids: string[]) =>
  api.call(endpoints.deleteApps, { body: { uuids } }).then(refetch);
