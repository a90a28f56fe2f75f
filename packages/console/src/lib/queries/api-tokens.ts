import type { ApiToken, ApiTokenList, NewApiToken } from '@bidwell/contract/api-token';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api-client.ts';
import { queryClient } from '../query-client.ts';

export const apiTokensQuery = queryOptions({
  queryKey: ['api-tokens'],
  queryFn: async (): Promise<ApiToken[]> => (await api.get<ApiTokenList>('/api_tokens')).api_tokens,
});

/** Creates a token; only this response contains its secret. */
export async function createApiToken(name: string): Promise<NewApiToken> {
  const made = await api.post<NewApiToken>('/api_tokens', { name });
  await queryClient.invalidateQueries({ queryKey: apiTokensQuery.queryKey });
  return made;
}

export async function revokeApiToken(uuid: string): Promise<void> {
  await api.delete(`/api_tokens/${uuid}`);
  await queryClient.invalidateQueries({ queryKey: apiTokensQuery.queryKey });
}
