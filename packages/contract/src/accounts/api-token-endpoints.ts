import { z } from 'zod';
import { ApiTokenInput, ApiTokenList, NewApiToken } from './api-token.ts';
import { conflict, endpoint } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';

export const listApiTokens = endpoint('GET /api_tokens', {
  companyPermission: 'api_token.read',
  summary: 'List API tokens',
  response: { 200: envelope(ApiTokenList) },
});

export const createApiToken = endpoint('POST /api_tokens', {
  companyPermission: 'api_token.create',
  summary: 'Make an API token; its secret is answered this once',
  body: ApiTokenInput,
  response: { 201: envelope(NewApiToken), ...conflict },
});

export const revokeApiToken = endpoint('DELETE /api_tokens/:uuid', {
  companyPermission: 'api_token.revoke',
  summary: 'Revoke an API token',
  response: { 200: envelope(z.object({ revoked: z.literal(true) })) },
});
