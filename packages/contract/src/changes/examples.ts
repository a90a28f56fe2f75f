import { Change, ChangeList } from './schema.ts';
import { adsetExample } from '../adsets/examples.ts';
import { exampleTimes, exampleUuid, exampleOf } from '../lib/example.ts';
import type { z } from 'zod';

const change: z.input<typeof Change> = {
  uuid: exampleUuid(11),
  entity_type: 'adset',
  entity_uuid: adsetExample.uuid,
  entity_name: adsetExample.name,
  action: 'update',
  author: 'Ada Miller',
  fields: [{ field: 'bet_cpi', before: 1.5, after: 1.8 }],
  created_at: exampleTimes.created_at,
};

/** The examples of the API's documents. */
export const changeExamples = [
  exampleOf(Change, change, 'Change'),
  exampleOf(ChangeList, { changes: [{ ...change, can_undo: true }], total: 1 }, 'ChangeList'),
];
