import { z } from 'zod';
import {
  Audience,
  AudienceImport,
  AudienceInput,
  AudienceUpdate,
  AudienceUpload,
  IdsInput,
  UploadInput,
} from './schema.ts';
import { conflict, endpoint, limited } from '../lib/endpoint.ts';
import { Failure, UuidParams, Uuid, envelope } from '../lib/wire.ts';

const UploadParams = z.object({ uuid: Uuid, upload: Uuid });

export const listAudiences = endpoint('GET /audience', {
  companyPermission: 'audience.read',
  summary: 'List audiences',
  response: { 200: envelope(z.object({ audiences: z.array(Audience) })) },
});

export const readAudience = endpoint('GET /audience/:uuid', {
  companyPermission: 'audience.read',
  summary: 'Read an audience',
  response: { 200: envelope(Audience) },
});

export const listAudienceImports = endpoint('GET /audience/:uuid/imports', {
  companyPermission: 'audience.read',
  summary: 'List the latest imports of an audience, newest first',
  response: { 200: envelope(z.object({ imports: z.array(AudienceImport) })) },
});

export const createAudience = endpoint('POST /audience', {
  companyPermission: 'audience.write',
  summary: 'Create an audience',
  body: AudienceInput,
  response: { 201: envelope(Audience) },
});

export const updateAudience = endpoint('PUT /audience/:uuid', {
  companyPermission: 'audience.write',
  summary: 'Update an audience',
  body: AudienceUpdate,
  response: { 200: envelope(Audience) },
});

export const deleteAudience = endpoint('DELETE /audience/:uuid', {
  companyPermission: 'audience.write',
  summary: 'Delete an audience that nothing uses, with its ids',
  response: { 200: envelope(UuidParams), ...conflict },
});

export const refreshAudience = endpoint('POST /audience/:uuid/refresh', {
  companyPermission: 'audience.write',
  summary: 'Refresh an audience with an address or a rule now',
  response: { 200: envelope(Audience), ...conflict },
});

export const changeAudienceIds = endpoint('POST /audience/:uuid/ids', {
  companyPermission: 'audience.write',
  summary: 'Add, remove or replace ids of a list',
  body: IdsInput,
  response: { 200: envelope(AudienceImport), ...conflict },
});

export const beginAudienceUpload = endpoint('POST /audience/:uuid/upload', {
  companyPermission: 'audience.write',
  summary: 'Begin the upload of a file of ids, in parts',
  body: UploadInput,
  response: { 200: envelope(AudienceUpload), ...conflict },
});

export const readAudienceUpload = endpoint('GET /audience/:uuid/upload/:upload', {
  companyPermission: 'audience.read',
  summary: 'Read how far an upload is, to resume it',
  params: UploadParams,
  response: { 200: envelope(AudienceUpload) },
});

/** The parts come in order. A part that the server has already is accepted and ignored. */
export const sendAudiencePart = endpoint('PUT /audience/:uuid/upload/:upload', {
  companyPermission: 'audience.write',
  summary: 'Send the part of a file of ids that begins at an offset',
  params: UploadParams,
  query: z.object({ offset: z.coerce.number().int().min(0) }),
  form: z.object({ part: z.file() }),
  response: { 200: envelope(AudienceUpload), 400: Failure, ...conflict, ...limited },
});

export const finishAudienceUpload = endpoint('POST /audience/:uuid/upload/:upload/finish', {
  companyPermission: 'audience.write',
  summary: 'Finish an upload, and import its ids',
  params: UploadParams,
  response: { 200: envelope(AudienceUpload), ...conflict },
});
