import type { ApiToken, ApiTokenList, NewApiToken } from '@bidwell/contract/api-token';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api-client.ts';
import { queryClient } from '../query-client.ts';

export const apiTokensQuery = queryOptions({
  queryKey: ['api-tokens'],
  queryFn: async (): Promise<ApiToken[]> => (await api.get<ApiTokenList>('/api_tokens')).api_tokens,
});

/** Makes a token; its secret is in the answer and nowhere else. */
export async function createApiToken(name: string): Promise<NewApiToken> {
  const made = await api.post<NewApiToken>('/api_tokens', { name });
  await queryClient.invalidateQueries({ queryKey: apiTokensQuery.queryKey });
  return made;
}

export async function revokeApiToken(uuid: string): Promise<void> {
  await api.delete(`/api_tokens/${uuid}`);
  await queryClient.invalidateQueries({ queryKey: apiTokensQuery.queryKey });
}
