import { targetFields } from './fields.ts';
import { Target, TargetInput } from './schema.ts';
import { appSummaryExample } from '../apps/examples.ts';
import { examplesOf } from '../lib/fields.ts';
import { exampleTimes, exampleUuid, exampleOf } from '../lib/example.ts';
import type { z } from 'zod';

const settings = examplesOf(targetFields);
/** The target of all examples. */
export const targetExample: z.input<typeof Target> = {
  uuid: exampleUuid(2),
  name: 'Phones in Germany and Austria',
  description: '',
  app: appSummaryExample,
  ...settings,
  ...exampleTimes,
};

/** The examples of the API's documents. */
export const targetExamples = [
  exampleOf(TargetInput, { app_id: appSummaryExample.uuid, name: targetExample.name, ...settings }),
  exampleOf(Target, targetExample, 'Target'),
];
