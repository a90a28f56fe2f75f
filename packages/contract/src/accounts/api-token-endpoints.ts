import { z } from 'zod';
import { ApiTokenInput, ApiTokenList, NewApiToken } from './api-token.ts';
import { conflict, endpoint } from '../lib/endpoint.ts';
import { UuidParams, envelope } from '../lib/wire.ts';

export const listApiTokens = endpoint({
  method: 'GET',
  path: '/api_tokens',
  companyPermission: 'api_token.read',
  summary: 'List API tokens',
  response: { 200: envelope(ApiTokenList) },
});

export const createApiToken = endpoint({
  method: 'POST',
  path: '/api_tokens',
  companyPermission: 'api_token.create',
  summary: 'Make an API token; its secret is answered this once',
  body: ApiTokenInput,
  response: { 201: envelope(NewApiToken), ...conflict },
});

export const revokeApiToken = endpoint({
  method: 'DELETE',
  path: '/api_tokens/:uuid',
  companyPermission: 'api_token.revoke',
  summary: 'Revoke an API token',
  params: UuidParams,
  response: { 200: envelope(z.object({ revoked: z.literal(true) })) },
});
