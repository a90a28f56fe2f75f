import { ApiToken, ApiTokenInput } from './api-token.ts';
import { CompanyInput, Credentials, Registration, SessionTokens, User } from './schema.ts';
import { exampleTimes, exampleUuid, exampleOf } from '../lib/example.ts';

/** The examples of the API's documents. */
export const accountExamples = [
  exampleOf(Credentials, { login: 'ada.miller', password: 'a long secret' }),
  exampleOf(Registration, {
    login: 'ada.miller',
    email: 'ada@example.com',
    password: 'a long secret',
    first_name: 'Ada',
    last_name: 'Miller',
    contact: '@ada',
  }),
  exampleOf(
    SessionTokens,
    { access_token: 'eyJhbGciOi…', expires_in: 900, user_id: exampleUuid(12) },
    'SessionTokens',
  ),
  exampleOf(
    User,
    {
      uuid: exampleUuid(12),
      login: 'ada.miller',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Miller',
      contact: '@ada',
      avatar: null,
      company: { uuid: exampleUuid(13), name: 'Ada Miller', time_zone: 'UTC', second_factor_required: false },
      needs_second_factor: false,
      signed_in_by_sso: false,
      needs_email_confirmation: false,
      role: 'owner',
      moderation: 'manual',
      created_at: exampleTimes.created_at,
    },
    'User',
  ),
  exampleOf(CompanyInput, { name: 'Harbor Games', time_zone: 'Europe/Berlin' }),
];

/** The examples of API keys. */
export const apiTokenExamples = [
  exampleOf(
    ApiToken,
    {
      uuid: exampleUuid(15),
      name: 'Nightly report',
      ending: 'x7Qk',
      scopes: ['read', 'campaigns'],
      calls_per_minute: 600,
      created_at: exampleTimes.created_at,
      created_by: 'Ada Miller',
      expires_at: '2026-05-31T09:15:00.000Z',
      last_used_at: '2026-03-04T02:00:00.000Z',
      last_used_address: '203.0.113.7',
    },
    'ApiToken',
  ),
  exampleOf(ApiTokenInput, { name: 'Nightly report', scopes: ['read', 'campaigns'], expires_in_days: 90 }),
];
