import * as endpoints from '@bidwell/contract/tracking-links/endpoints';
import type { LinkCheckInput, ViewCheckInput } from '@bidwell/contract/tracking-links/link-check';
import type { TrackingLinkInput, TrackingLinkUpdate } from '@bidwell/contract/tracking-links/schema';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { addToList, queryClient } from '../../lib/api/query-client.ts';

/** All tracking links of the company. */
export const trackingLinksQuery = queryOptions({
  queryKey: ['tracking_link'],
  queryFn: async () => (await api.call(endpoints.listTrackingLinks)).tracking_links,
});

/** One tracking link, always refetched: a form that starts from an old copy would save it back. */
export const trackingLinkQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['tracking_link', uuid],
    queryFn: () => api.call(endpoints.readTrackingLink, { params: { uuid } }),
    gcTime: 0,
  });

const refetch = <T>(done: T): T => {
  void queryClient.invalidateQueries({ queryKey: ['tracking_link'] });
  return done;
};

export async function createTrackingLink(input: TrackingLinkInput) {
  const created = await api.create(endpoints.createTrackingLink, { body: input });
  addToList(trackingLinksQuery, created);
  return created;
}

/** Changes only the version, where one is given. */
export const updateTrackingLink = (uuid: string, input: TrackingLinkUpdate, version?: string) =>
  api.change(endpoints.updateTrackingLink, version, { params: { uuid }, body: input }).then(refetch);

/** Follows the redirects of a click URL as a device would. */
export const checkTrackingLink = (input: LinkCheckInput) =>
  api.call(endpoints.checkTrackingLink, { body: input });

/** Loads a view URL as a device would. */
export const checkViewUrl = (input: ViewCheckInput) => api.call(endpoints.checkViewUrl, { body: input });
