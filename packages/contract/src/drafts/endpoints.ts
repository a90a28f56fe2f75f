import { z } from 'zod';
import { conflict, endpoint } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
import { Draft, DraftInput, DraftSummary, DraftUpdate } from './schema.ts';

export const listDrafts = endpoint('GET /campaign_draft', {
  companyPermission: 'campaign.read',
  summary: 'List the drafts of campaigns, the one that was changed last first',
  response: { 200: envelope(z.object({ drafts: z.array(DraftSummary) })) },
});

export const readDraft = endpoint('GET /campaign_draft/:uuid', {
  companyPermission: 'campaign.read',
  summary: 'Read the draft of a campaign',
  response: { 200: envelope(Draft) },
});

export const createDraft = endpoint('POST /campaign_draft', {
  companyPermission: 'campaign.write',
  summary: 'Store the draft of a campaign, which may be incomplete',
  body: DraftInput,
  response: { 201: envelope(DraftSummary) },
});

export const updateDraft = endpoint('PUT /campaign_draft/:uuid', {
  companyPermission: 'campaign.write',
  summary: 'Replace the values of a draft, unless someone changed it meanwhile',
  body: DraftUpdate,
  response: { 200: envelope(DraftSummary), ...conflict },
});

export const discardDraft = endpoint('DELETE /campaign_draft/:uuid', {
  companyPermission: 'campaign.write',
  summary: 'Discard a draft',
  response: { 200: envelope(z.object({ discarded: z.literal(true) })) },
});
