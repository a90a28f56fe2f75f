import { CreativeGroup, CreativeGroupInput } from './schema.ts';
import { groupTextFields } from '../creatives/fields.ts';
import { creativeExample } from '../creatives/examples.ts';
import { examplesOf } from '../lib/fields.ts';
import { exampleTimes, exampleUuid, exampleOf } from '../lib/example.ts';
import type { z } from 'zod';

const texts = examplesOf(groupTextFields);
/** The creative group of all examples. */
export const groupExample: z.input<typeof CreativeGroup> = {
  uuid: exampleUuid(7),
  name: 'Spring',
  description: '',
  status: 'Active',
  banner_creatives: [creativeExample],
  video_creatives: [],
  native_creatives: [],
  playable_creatives: [],
  ...texts,
  texts_status: 'Approved',
  rejection_reason: null,
  approved_version: null,
  ...exampleTimes,
};

/** The examples of the API's documents. */
export const creativeGroupExamples = [
  exampleOf(CreativeGroupInput, { name: 'Spring', banner_creatives: [creativeExample.uuid], ...texts }),
  exampleOf(CreativeGroup, groupExample, 'CreativeGroup'),
];
