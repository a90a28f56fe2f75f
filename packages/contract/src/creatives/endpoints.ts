import { z } from 'zod';
import {
  BannerResolutions,
  Creative,
  CreativeInput,
  CreativeUpdate,
  InternalCreativeUpdate,
  UploadFields,
  creativeVersion,
} from './schema.ts';
import { endpoint, limited } from '../lib/endpoint.ts';
import { Storage } from '../storage/schema.ts';
import { Failure, envelope } from '../lib/wire.ts';

const file = z.file().optional();

export const listCreatives = endpoint('GET /internal_creative', {
  companyPermission: 'creative.read',
  summary: 'List creatives',
  response: { 200: envelope(z.object({ internal_creatives: z.array(Creative) })) },
});

export const readStorage = endpoint('GET /storage', {
  companyPermission: 'storage.read',
  summary: 'Read how much storage the uploaded files have and may have',
  response: { 200: envelope(Storage) },
});

export const uploadCreative = endpoint('POST /v2/internal_creative', {
  companyPermission: 'creative.write',
  summary: 'Upload a creative',
  form: UploadFields.extend({ banner: file, video: file, playable: file }),
  version: creativeVersion,
  response: { 201: envelope(Creative), 400: Failure, ...limited },
});

/** Takes JSON, or a form with an end card. */
export const updateInternalCreative = endpoint('PUT /internal_creative/:uuid', {
  companyPermission: 'creative.write',
  summary: 'Update an uploaded creative',
  body: InternalCreativeUpdate,
  form: InternalCreativeUpdate.extend({ banner: file }),
  version: creativeVersion,
  response: { 200: envelope(Creative), ...limited },
});

/** Gives an uploaded asset its click and view URLs. */
export const createCreative = endpoint('POST /creative', {
  companyPermission: 'creative.write',
  summary: 'Give a creative its addresses',
  body: CreativeInput,
  version: creativeVersion,
  response: { 201: envelope(Creative) },
});

export const updateCreative = endpoint('PUT /creative/:uuid', {
  companyPermission: 'creative.write',
  summary: 'Update a creative',
  body: CreativeUpdate,
  version: creativeVersion,
  response: { 200: envelope(Creative) },
});

export const listBannerResolutions = endpoint('GET /banner', {
  companyPermission: 'reference.read',
  summary: 'List banner resolutions by group',
  response: { 200: envelope(BannerResolutions) },
});
