import type { App, AppInput, AppUpdate, ParsedStoreLink } from '@bidwell/contract/app';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api-client.ts';
import { queryClient } from '../query-client.ts';

/** All apps of the company. */
export const appsQuery = queryOptions({
  queryKey: ['app'],
  queryFn: async () => (await api.get<{ apps: App[] }>('/app')).apps,
});

export const appQuery = (uuid: string) =>
  queryOptions({ queryKey: ['app', uuid], queryFn: () => api.get<App>(`/app/${uuid}`), gcTime: 0 });

/** Parses a store link and, where possible, reads the app's page in the store. */
export const parseLink = (link: string) => api.post<ParsedStoreLink>('/app/parse', { link });

const refetch = <T>(done: T): T => {
  void queryClient.invalidateQueries({ queryKey: ['app'] });
  return done;
};

export const createApp = (input: AppInput) => api.create<App>('/app', input).then(refetch);
export const updateApp = (uuid: string, input: AppUpdate) =>
  api.put<App>(`/app/${uuid}`, input).then(refetch);
export const deleteApps = (uuids: string[]) => api.delete('/app/batch', { uuids }).then(refetch);
