import * as endpoints from '@bidwell/contract/notifications/endpoints';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { queryClient, staleTimes } from '../../lib/api/query-client.ts';

export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: () => api.call(endpoints.listNotifications),
  staleTime: staleTimes.hour,
  gcTime: staleTimes.hour,
});

export async function markRead(ids: string[]): Promise<void> {
  queryClient.setQueryData(
    notificationsQuery.queryKey,
    await api.call(endpoints.markNotificationsRead, { body: { ids } }),
  );
}
