import { ExchangeReview } from './exchange-reviews.ts';
import { Creative, CreativeInput, UploadFields } from './schema.ts';
import { appSummaryExample } from '../apps/examples.ts';
import { linkExample } from '../tracking-links/examples.ts';
import { exampleTimes, exampleUuid, exampleOf } from '../lib/example.ts';
import type { z } from 'zod';

/** The creative of all examples. */
export const creativeExample: z.input<typeof Creative> = {
  uuid: exampleUuid(4),
  status: 'Approved',
  rejection_reason: null,
  approved_version: null,
  app: appSummaryExample,
  click_url: null,
  view_url: null,
  labels: ['Summer'],
  ...exampleTimes,
  internal_creative: {
    uuid: exampleUuid(5),
    name: 'Lighthouse 320×50',
    type: 'Banner',
    description: '',
    sponsor: '',
    title: '',
    html: null,
    width: 320,
    height: 50,
    duration_ms: null,
    banner_id: exampleUuid(6),
    video_id: null,
    banner_extension: 'png',
    video_extension: null,
    banner: { uuid: exampleUuid(6), url: `/api/internal/file/${exampleUuid(6)}.png`, size_bytes: 18_204 },
    video: null,
    playable: null,
    thumbnail: `/api/internal/file/${exampleUuid(6)}?size=thumb`,
    external_loads: [],
    exits: [],
  } as z.input<typeof Creative>['internal_creative'],
};

/** The examples of the API's documents. */
export const creativeExamples = [
  exampleOf(UploadFields, { name: 'Lighthouse 320×50', type: 'Banner', app_id: appSummaryExample.uuid }),
  exampleOf(CreativeInput, {
    internal_creative_uuid: creativeExample.internal_creative.uuid,
    click_url: linkExample.click_url,
    view_url: linkExample.view_url,
  }),
  exampleOf(Creative, creativeExample, 'Creative'),
  exampleOf(ExchangeReview, {
    creative_uuid: exampleUuid(4),
    slug: 'google',
    state: 'disapproved',
    reasons: ['DESTINATION_NOT_WORKING'],
    error: null,
    is_held: false,
    sent_at: '2026-03-07T12:00:03.000Z',
    decided_at: '2026-03-07T12:31:10.000Z',
  }),
];
