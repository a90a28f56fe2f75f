import { linkFields } from './fields.ts';
import { TrackingLink, TrackingLinkInput } from './schema.ts';
import { appSummaryExample } from '../apps/examples.ts';
import { examplesOf } from '../lib/fields.ts';
import { exampleTimes, exampleUuid, exampleOf } from '../lib/example.ts';

/** The tracking link of all examples. */
export const linkExample = { name: 'AppsFlyer', description: '', ...examplesOf(linkFields) };

/** The examples of the API's documents. */
export const linkExamples = [
  exampleOf(TrackingLinkInput, { app_id: appSummaryExample.uuid, ...linkExample }),
  exampleOf(
    TrackingLink,
    {
      uuid: exampleUuid(3),
      ...linkExample,
      app: appSummaryExample,
      app_id: appSummaryExample.uuid,
      status: 'Approved',
      rejection_reason: null,
      approved_version: null,
      ...exampleTimes,
    },
    'TrackingLink',
  ),
];
