import { z } from 'zod';
import { Campaign, CampaignInput, CampaignUpdate, campaignVersion } from './schema.ts';
import { conflict, endpoint } from '../lib/endpoint.ts';
import { CreatedRange, UuidParams, envelope } from '../lib/wire.ts';

export const listCampaigns = endpoint({
  method: 'GET',
  path: '/campaign',
  companyPermission: 'campaign.read',
  summary: 'List campaigns',
  query: CreatedRange,
  response: { 200: envelope(z.object({ campaigns: z.array(Campaign) })) },
});

export const readCampaign = endpoint({
  method: 'GET',
  path: '/campaign/:uuid',
  companyPermission: 'campaign.read',
  summary: 'Read a campaign',
  params: UuidParams,
  version: campaignVersion,
  response: { 200: envelope(Campaign) },
});

export const createCampaign = endpoint({
  method: 'POST',
  path: '/campaign',
  companyPermission: 'campaign.write',
  summary: 'Create a campaign',
  body: CampaignInput,
  version: campaignVersion,
  response: { 201: envelope(Campaign) },
});

export const updateCampaign = endpoint({
  method: 'PUT',
  path: '/campaign/:uuid',
  companyPermission: 'campaign.write',
  summary: 'Update a campaign',
  params: UuidParams,
  body: CampaignUpdate,
  version: campaignVersion,
  response: { 200: envelope(Campaign) },
});

export const startCampaign = endpoint({
  method: 'POST',
  path: '/campaign/:uuid/start',
  companyPermission: 'campaign.write',
  summary: 'Start a campaign',
  params: UuidParams,
  version: campaignVersion,
  response: { 200: envelope(Campaign), ...conflict },
});

export const pauseCampaign = endpoint({
  method: 'POST',
  path: '/campaign/:uuid/pause',
  companyPermission: 'campaign.write',
  summary: 'Pause a campaign',
  params: UuidParams,
  version: campaignVersion,
  response: { 200: envelope(Campaign) },
});
