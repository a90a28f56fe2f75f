import * as endpoints from '@bidwell/contract/creatives/exchange-review-endpoints';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';

/** What exchanges say of the company's creatives. Its key begins like the key of the creatives: a change of one reads it again. */
export const exchangeReviewsQuery = queryOptions({
  queryKey: ['creative', 'exchange-reviews'],
  queryFn: () => api.call(endpoints.listExchangeReviews),
});

/** Sends a creative to an exchange for review again. Throws ApiError. */
export async function sendForReview(uuid: string, slug: string): Promise<void> {
  await api.call(endpoints.sendForReview, { params: { uuid, slug } });
  await queryClient.invalidateQueries({ queryKey: exchangeReviewsQuery.queryKey });
}
