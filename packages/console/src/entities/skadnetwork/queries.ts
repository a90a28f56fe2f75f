import * as endpoints from '@bidwell/contract/operator/skadnetwork-endpoints';
import type { Network, NetworkInput } from '@bidwell/contract/skadnetwork/schema';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { callOperator, changeAsOperator } from '../../lib/api/operator-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';

const KEY = ['operator', 'skadnetwork'] as const;

/** The ad networks, and the exchanges with the outcomes of their requests of iOS apps in the last seven days. */
export const skadnetworkQuery = queryOptions({
  queryKey: [...KEY, 'settings'],
  queryFn: () => callOperator(endpoints.readSkadnetwork),
});

/** iOS apps of all companies whose name, company or store link contains a text. */
export const networkAppsQuery = (q: string) =>
  queryOptions({
    queryKey: [...KEY, 'apps', q],
    queryFn: () => callOperator(endpoints.listNetworkApps, { query: { q } }),
    placeholderData: keepPreviousData,
  });

/** Changes the settings of an ad network, only of the version, or adds it, where that is null; without a private key a new network gets a new one. Throws ApiError. */
export const saveNetwork = (
  id: string,
  body: z.input<typeof NetworkInput>,
  version: string | null | undefined,
): Promise<Network> => renewed(changeAsOperator(endpoints.putNetwork, version, { params: { id }, body }));

/** Removes an ad network with its private key. Throws ApiError. */
export const removeNetwork = (id: string) =>
  renewed(callOperator(endpoints.deleteNetwork, { params: { id } }));

/** Signs bids with an exchange, or no longer. Throws ApiError. */
export const switchNetworkExchange = (slug: string, enabled: boolean) =>
  renewed(callOperator(endpoints.switchNetworkExchange, { params: { slug }, body: { enabled } }));

/** Signs bids for an app, or no longer. Throws ApiError. */
export const switchNetworkApp = (uuid: string, enabled: boolean) =>
  renewed(callOperator(endpoints.switchNetworkApp, { params: { uuid }, body: { enabled } }));

async function renewed<Result>(result: Promise<Result>): Promise<Result> {
  const done = await result;
  await queryClient.invalidateQueries({ queryKey: KEY });
  return done;
}
