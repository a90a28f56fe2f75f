import { z } from 'zod';
import { Campaign, CampaignInput, CampaignUpdate, campaignVersion } from './schema.ts';
import { conflict, endpoint } from '../lib/endpoint.ts';
import { CreatedRange, envelope } from '../lib/wire.ts';

export const listCampaigns = endpoint('GET /campaign', {
  companyPermission: 'campaign.read',
  summary: 'List campaigns',
  query: CreatedRange,
  response: { 200: envelope(z.object({ campaigns: z.array(Campaign) })) },
});

export const readCampaign = endpoint('GET /campaign/:uuid', {
  companyPermission: 'campaign.read',
  summary: 'Read a campaign',
  version: campaignVersion,
  response: { 200: envelope(Campaign) },
});

export const createCampaign = endpoint('POST /campaign', {
  companyPermission: 'campaign.write',
  summary: 'Create a campaign',
  body: CampaignInput,
  version: campaignVersion,
  response: { 201: envelope(Campaign) },
});

export const updateCampaign = endpoint('PUT /campaign/:uuid', {
  companyPermission: 'campaign.write',
  summary: 'Update a campaign',
  body: CampaignUpdate,
  version: campaignVersion,
  response: { 200: envelope(Campaign) },
});

export const startCampaign = endpoint('POST /campaign/:uuid/start', {
  companyPermission: 'campaign.write',
  summary: 'Start a campaign',
  version: campaignVersion,
  response: { 200: envelope(Campaign), ...conflict },
});

export const pauseCampaign = endpoint('POST /campaign/:uuid/pause', {
  companyPermission: 'campaign.write',
  summary: 'Pause a campaign',
  version: campaignVersion,
  response: { 200: envelope(Campaign) },
});
