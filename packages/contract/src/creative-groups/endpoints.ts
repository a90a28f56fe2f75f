import { z } from 'zod';
import { CreativeGroup, CreativeGroupInput, CreativeGroupUpdate, creativeGroupVersion } from './schema.ts';
import { endpoint } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';

export const listCreativeGroups = endpoint('GET /internal_creative_group', {
  companyPermission: 'creative_group.read',
  summary: 'List creative groups',
  response: { 200: envelope(z.object({ internal_creative_groups: z.array(CreativeGroup) })) },
});

export const readCreativeGroup = endpoint('GET /internal_creative_group/:uuid', {
  companyPermission: 'creative_group.read',
  summary: 'Read a creative group',
  version: creativeGroupVersion,
  response: { 200: envelope(CreativeGroup) },
});

export const createCreativeGroup = endpoint('POST /internal_creative_group', {
  companyPermission: 'creative_group.write',
  summary: 'Create a creative group',
  body: CreativeGroupInput,
  version: creativeGroupVersion,
  response: { 201: envelope(CreativeGroup) },
});

export const updateCreativeGroup = endpoint('PUT /internal_creative_group/:uuid', {
  companyPermission: 'creative_group.write',
  summary: 'Update a creative group',
  body: CreativeGroupUpdate,
  version: creativeGroupVersion,
  response: { 200: envelope(CreativeGroup) },
});

/** The same groups are written under a second path. */
export const createCreativeGroupAlias = { ...createCreativeGroup, path: '/creative_group' };
export const updateCreativeGroupAlias = { ...updateCreativeGroup, path: '/creative_group/:uuid' };
