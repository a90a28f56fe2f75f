import type { ApiTokenInput, NewApiToken } from '@bidwell/contract/accounts/api-token';
import * as endpoints from '@bidwell/contract/accounts/api-token-endpoints';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { api } from '../../lib/api/api-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';

export const apiTokensQuery = queryOptions({
  queryKey: ['api-tokens'],
  queryFn: async () => (await api.call(endpoints.listApiTokens)).api_tokens,
});

/** Creates a key; only this response contains its secret. */
export async function createApiToken(body: z.input<typeof ApiTokenInput>): Promise<NewApiToken> {
  const made = await api.call(endpoints.createApiToken, { body });
  await queryClient.invalidateQueries({ queryKey: apiTokensQuery.queryKey });
  return made;
}

export async function revokeApiToken(uuid: string): Promise<void> {
  await api.call(endpoints.revokeApiToken, { params: { uuid } });
  await queryClient.invalidateQueries({ queryKey: apiTokensQuery.queryKey });
}
