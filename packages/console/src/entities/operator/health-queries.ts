import * as endpoints from '@bidwell/contract/operator/endpoints';
import { queryOptions } from '@tanstack/react-query';
import { callOperator } from '../../lib/api/operator-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';

const REFRESH_MS = 10_000;

/** State of all processes and databases, requested again every ten seconds while it is shown. */
export const healthQuery = queryOptions({
  queryKey: ['operator', 'health'],
  queryFn: () => callOperator(endpoints.readHealth),
  refetchInterval: REFRESH_MS,
  staleTime: 0,
});

/** Stops or resumes all bidding. */
export async function switchBidding(body: { stopped: boolean; reason?: string }): Promise<void> {
  await callOperator(endpoints.switchBidding, { body });
  await queryClient.invalidateQueries({ queryKey: ['operator', 'health'] });
}
