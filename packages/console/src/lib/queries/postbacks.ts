import type { Postbacks } from '@bidwell/contract/postback';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api-client.ts';

/** Where the company's measurement partners report installs, and what came lately. */
export const postbacksQuery = queryOptions({
  queryKey: ['postbacks'],
  queryFn: () => api.get<Postbacks>('/postbacks'),
});
