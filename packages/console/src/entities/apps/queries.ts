import type { AppInput, AppUpdate } from '@bidwell/contract/apps/schema';
import type { AppEventsUpdate } from '@bidwell/contract/apps/event-settings';
import * as endpoints from '@bidwell/contract/apps/endpoints';
import * as conversionEndpoints from '@bidwell/contract/skadnetwork/conversion-value-endpoints';
import type { ConversionValuesInput } from '@bidwell/contract/skadnetwork/conversion-values';
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

/** The in-app events of an app, and how they are shown and count. */
export const appEventsQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['app', uuid, 'events'],
    queryFn: () => api.call(endpoints.readAppEvents, { params: { uuid } }),
    gcTime: 0,
  });

/** The numbers by which postbacks of SKAdNetwork name the ad sets of an app. */
export const sourceIdentifiersQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['app', uuid, 'source-identifiers'],
    queryFn: () => api.call(endpoints.listSourceIdentifiers, { params: { uuid } }),
    gcTime: 0,
  });

/** What the conversion values of an app mean. */
export const conversionValuesQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['app', uuid, 'conversion-values'],
    queryFn: () => api.call(conversionEndpoints.readConversionValues, { params: { uuid } }),
    gcTime: 0,
  });

/** Changes what the conversion values of an app mean, only of the version, where one is given. */
export const updateConversionValues = (uuid: string, input: ConversionValuesInput, version?: string) =>
  api
    .change(conversionEndpoints.updateConversionValues, version, { params: { uuid }, body: input })
    .then((saved) => {
      queryClient.setQueryData(conversionValuesQuery(uuid).queryKey, saved);
      // Reports explain the values of today's postbacks with it.
      void queryClient.invalidateQueries({ queryKey: ['analytics'] });
      return saved;
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

/** Changes only the version, where one is given. */
export const updateApp = (uuid: string, input: AppUpdate, version?: string) =>
  api.change(endpoints.updateApp, version, { params: { uuid }, body: input }).then(refetch);
export const deleteApps = (uuids: string[]) =>
  api.call(endpoints.deleteApps, { body: { uuids } }).then(refetch);

/** Changes how the in-app events of an app are shown and count, only of the version of the settings, where one is given. */
export const updateAppEvents = (uuid: string, update: AppEventsUpdate, version?: string) =>
  api.change(endpoints.updateAppEvents, version, { params: { uuid }, body: update }).then((saved) => {
    const changed = new Map(saved.events.map((event) => [event.name, event]));
    queryClient.setQueryData(
      appEventsQuery(uuid).queryKey,
      (before) =>
        before && {
          ...before,
          ...saved,
          events: before.events.map((event) => ({ ...event, ...changed.get(event.name) })),
        },
    );
    // Reports show the names, and count revenue and payers by the settings.
    void queryClient.invalidateQueries({ queryKey: ['analytics'] });
    return saved;
  });
