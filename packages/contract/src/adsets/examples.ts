import { adsetFields } from './fields.ts';
import { Adset, AdsetInput } from './schema.ts';
import { groupExample } from '../creative-groups/examples.ts';
import { examplesOf } from '../lib/fields.ts';
import { targetExample } from '../targets/examples.ts';
import { linkExample } from '../tracking-links/examples.ts';
import { exampleTimes, exampleUuid, exampleOf } from '../lib/example.ts';
import type { z } from 'zod';

const settings = examplesOf(adsetFields);
/** The ad set of all examples. */
export const adsetExample: z.input<typeof Adset> = {
  uuid: exampleUuid(8),
  name: 'Germany, target CPI',
  description: '',
  status: 'Active',
  campaign: { uuid: exampleUuid(9), name: 'Launch' },
  target: { uuid: targetExample.uuid, name: targetExample.name, app: targetExample.app },
  tracking_link: { uuid: exampleUuid(3), name: linkExample.name },
  creative_groups: [{ uuid: groupExample.uuid, name: groupExample.name }],
  ...settings,
  ...exampleTimes,
};

/** The examples of the API's documents. */
export const adsetExamples = [
  exampleOf(AdsetInput, {
    name: adsetExample.name,
    target_id: targetExample.uuid,
    tracking_link_id: exampleUuid(3),
    creative_group_ids: [groupExample.uuid],
    ...settings,
  }),
  exampleOf(Adset, adsetExample, 'Adset'),
];
