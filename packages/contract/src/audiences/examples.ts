import { Audience, AudienceInput } from './schema.ts';
import { exampleOf, exampleTimes, exampleUuid } from '../lib/example.ts';
import type { z } from 'zod';

const { created_at, updated_at } = exampleTimes;

/** The audience of all examples. */
export const audienceExample: z.input<typeof Audience> = {
  uuid: exampleUuid(60),
  name: 'Paying players',
  description: '',
  kind: 'list',
  app: null,
  rule: null,
  source_url: null,
  id_form: 'auto',
  hashed_letters: 'either',
  is_installed: false,
  state: 'ready',
  size: 18_240,
  id_hash: 'sha256',
  refreshed_at: '2026-03-02T09:20:00.000Z',
  last_import: null,
  matches: {
    look_ups: 182_400,
    found: 9120,
    people: 4560,
    percent: 25,
    from: '2026-03-01T09:20:00.000Z',
    to: '2026-03-02T09:20:00.000Z',
  },
  used_by: [],
  created_at,
  updated_at,
};

/** The examples of the API's documents. */
export const audienceExamples = [
  exampleOf(AudienceInput, { name: audienceExample.name, kind: 'list' }),
  exampleOf(Audience, audienceExample, 'Audience'),
];
