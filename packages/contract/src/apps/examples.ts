import { appFields } from './fields.ts';
import { App, AppBatch, AppInput, AppSummary, StoreLinkInput } from './schema.ts';
import { examplesOf } from '../lib/fields.ts';
import { exampleTimes, exampleUuid, exampleOf } from '../lib/example.ts';
import type { z } from 'zod';

const fields = examplesOf(appFields);

/** The app of all examples. */
export const appSummaryExample: z.input<typeof AppSummary> = {
  uuid: exampleUuid(1),
  name: 'Harbor Match',
  os: fields.os,
  icon_link: fields.icon_link,
  store_link: fields.store_link,
  bundle_id: fields.bundle_id,
  mobile_measurement_partner: fields.mobile_measurement_partner,
};

const { uuid: _uuid, ...summary } = appSummaryExample;
const description = 'A puzzle game by the sea';
const { size_in_kb, iab_category, rating, advertiser_domain } = fields;

/** The examples of the API's documents. */
export const appExamples = [
  exampleOf(AppInput, { ...summary, description, iab_category, rating, size_in_kb, advertiser_domain }),
  exampleOf(
    App,
    {
      ...appSummaryExample,
      description,
      size_in_kb,
      iab_category,
      rating,
      advertiser_domain,
      status: 'Approved',
      rejection_reason: null,
      approved_version: null,
      ...exampleTimes,
    },
    'App',
  ),
  exampleOf(AppSummary, appSummaryExample, 'AppSummary'),
  exampleOf(AppBatch, { uuids: [appSummaryExample.uuid] }),
  exampleOf(StoreLinkInput, { link: appSummaryExample.store_link }),
];
