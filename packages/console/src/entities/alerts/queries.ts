import * as endpoints from '@bidwell/contract/alerts/endpoints';
import type { AlertRuleInput } from '@bidwell/contract/alerts/rules';
import type { AlertPreferencesInput } from '@bidwell/contract/alerts/preferences';
import type {
  AlertChannelInput,
  AlertChannelUpdate,
  AlertDeliveryPage,
  AlertSettings,
  NewAlertChannel,
} from '@bidwell/contract/alerts/schema';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { pollInterval } from '../../lib/api/poll-interval.ts';
import { queryClient } from '../../lib/api/query-client.ts';

/** The alerts of the company that the logged-in person gets by mail. */
export const alertPreferencesQuery = queryOptions({
  queryKey: ['alert-preferences'],
  queryFn: () => api.call(endpoints.readAlertPreferences),
});

/** When the company is alerted. */
export const alertSettingsQuery = queryOptions({
  queryKey: ['alert-settings'],
  queryFn: () => api.call(endpoints.readAlertSettings),
});

/** The rules of the company; read again every minute, since checks change them. */
export const alertRulesQuery = queryOptions({
  queryKey: ['alert-rules'],
  queryFn: async () => (await api.call(endpoints.listAlertRules)).rules,
  refetchInterval: 60_000,
});

/** The channels of the company. */
export const alertChannelsQuery = queryOptions({
  queryKey: ['alert-channels'],
  queryFn: async () => (await api.call(endpoints.listAlertChannels)).channels,
});

/** The deliveries to a channel, newest first, a page at a time; read again while one waits. */
export const alertDeliveriesQuery = (uuid: string) =>
  infiniteQueryOptions({
    queryKey: ['alert-deliveries', uuid],
    queryFn: ({ pageParam }): Promise<AlertDeliveryPage> =>
      api.call(endpoints.listAlertDeliveries, { params: { uuid }, query: { cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state: { data } }) =>
      data ? pollInterval(data.pages.flatMap(({ deliveries }) => deliveries)) : false,
  });

export async function saveAlertPreferences(input: AlertPreferencesInput, version?: string): Promise<void> {
  const saved = await api.change(endpoints.saveAlertPreferences, version, { body: input });
  queryClient.setQueryData(alertPreferencesQuery.queryKey, saved);
}

export async function saveAlertSettings(input: AlertSettings, version?: string): Promise<void> {
  const saved = await api.change(endpoints.saveAlertSettings, version, { body: input });
  queryClient.setQueryData(alertSettingsQuery.queryKey, saved);
}

export async function createAlertRule(input: AlertRuleInput): Promise<void> {
  await api.create(endpoints.createAlertRule, { body: input });
  await refetchRules();
}

export async function updateAlertRule(
  uuid: string,
  input: AlertRuleInput,
  version: string | undefined,
): Promise<void> {
  try {
    await api.change(endpoints.updateAlertRule, version, { params: { uuid }, body: input });
  } finally {
    await refetchRules();
  }
}

export async function deleteAlertRule(uuid: string): Promise<void> {
  await api.call(endpoints.deleteAlertRule, { params: { uuid } });
  await refetchRules();
}

/** Adds a channel; only this response has the secret of a webhook. */
export async function createAlertChannel(input: AlertChannelInput): Promise<NewAlertChannel> {
  const made = await api.call(endpoints.createAlertChannel, { body: input });
  await refetchChannels();
  return made;
}

export async function updateAlertChannel(
  uuid: string,
  update: AlertChannelUpdate,
  version?: string,
): Promise<void> {
  try {
    await api.change(endpoints.updateAlertChannel, version, { params: { uuid }, body: update });
  } finally {
    await refetchChannels();
  }
}

export async function deleteAlertChannel(uuid: string): Promise<void> {
  await api.call(endpoints.deleteAlertChannel, { params: { uuid } });
  await refetchChannels();
}

export async function testAlertChannel(uuid: string): Promise<void> {
  await api.call(endpoints.testAlertChannel, { params: { uuid } });
  await refetchDeliveries(uuid);
}

/** Sends a delivery of a channel once more. */
export async function replayAlertDelivery(channelUuid: string, uuid: string): Promise<void> {
  await api.call(endpoints.replayAlertDelivery, { params: { uuid } });
  await refetchDeliveries(channelUuid);
}

/** Ends the mails of the person and company of a link. */
export const unsubscribe = async (token: string): Promise<{ company_name: string }> =>
  api.call(endpoints.unsubscribe, { params: { token } });

const refetchRules = async () => queryClient.invalidateQueries({ queryKey: alertRulesQuery.queryKey });
const refetchChannels = async () => queryClient.invalidateQueries({ queryKey: alertChannelsQuery.queryKey });
const refetchDeliveries = async (uuid: string) =>
  queryClient.invalidateQueries({ queryKey: alertDeliveriesQuery(uuid).queryKey });
