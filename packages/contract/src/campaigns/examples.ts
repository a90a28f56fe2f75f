import { campaignFields } from './fields.ts';
import { Campaign, CampaignInput } from './schema.ts';
import { adsetExample } from '../adsets/examples.ts';
import { appSummaryExample } from '../apps/examples.ts';
import { examplesOf } from '../lib/fields.ts';
import { exampleTimes, exampleUuid, exampleOf } from '../lib/example.ts';
import type { z } from 'zod';

const fields = examplesOf(campaignFields);
const campaign: z.input<typeof Campaign> = {
  uuid: exampleUuid(9),
  kind: 'acquisition',
  name: 'Launch',
  description: '',
  app_uuid: appSummaryExample.uuid,
  app: appSummaryExample,
  start_date: fields.start_date,
  end_date: fields.end_date,
  start_time: fields.start_time,
  end_time: fields.end_time,
  frequency_caps: fields.frequency_caps,
  status: 'Active',
  adsets: [{ uuid: adsetExample.uuid, name: adsetExample.name, status: 'Active' }],
  start_when_approved: fields.start_when_approved,
  in_review: { app: false, creatives: 2, tracking_links: 0 },
  ...exampleTimes,
};

/** The examples of the API's documents. */
export const campaignExamples = [
  exampleOf(CampaignInput, {
    name: campaign.name,
    app_uuid: appSummaryExample.uuid,
    start_date: fields.start_date,
    end_date: fields.end_date,
    adset_uuids: [adsetExample.uuid],
  }),
  exampleOf(Campaign, campaign, 'Campaign'),
];
