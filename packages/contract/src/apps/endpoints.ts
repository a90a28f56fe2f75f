import { z } from 'zod';
import { App, AppBatch, AppInput, AppUpdate, ParsedStoreLink, StoreLinkInput, appVersion } from './schema.ts';
import { AppEvents, AppEventsSaved, AppEventsUpdate, appEventSettingsVersion } from './event-settings.ts';
import { conflict, endpoint, missing } from '../lib/endpoint.ts';
import { CreatedRange, envelope } from '../lib/wire.ts';
import { SourceIdentifierList } from '../skadnetwork/schema.ts';

export const listApps = endpoint('GET /app', {
  companyPermission: 'app.read',
  summary: 'List apps',
  query: CreatedRange,
  response: { 200: envelope(z.object({ apps: z.array(App) })) },
});

export const readApp = endpoint('GET /app/:uuid', {
  companyPermission: 'app.read',
  summary: 'Read an app',
  version: appVersion,
  response: { 200: envelope(App) },
});

export const createApp = endpoint('POST /app', {
  companyPermission: 'app.write',
  summary: 'Register an app',
  body: AppInput,
  version: appVersion,
  response: { 201: envelope(App), ...conflict },
});

export const parseStoreLink = endpoint('POST /app/parse', {
  companyPermission: 'app.write',
  summary: 'Read a store link',
  body: StoreLinkInput,
  response: { 200: envelope(ParsedStoreLink) },
});

export const updateApp = endpoint('PUT /app/:uuid', {
  companyPermission: 'app.write',
  summary: 'Update an app',
  body: AppUpdate,
  version: appVersion,
  response: { 200: envelope(App), ...conflict },
});

export const readAppEvents = endpoint('GET /app/:uuid/events', {
  companyPermission: 'app.read',
  summary: 'List the in-app events of an app, and how they count',
  version: appEventSettingsVersion,
  response: { 200: envelope(AppEvents) },
});

export const updateAppEvents = endpoint('PUT /app/:uuid/events', {
  companyPermission: 'app.write',
  summary: 'Change how in-app events of an app are shown and count',
  body: AppEventsUpdate,
  version: appEventSettingsVersion,
  response: { 200: envelope(AppEventsSaved) },
});

export const listSourceIdentifiers = endpoint('GET /app/:uuid/source_identifiers', {
  companyPermission: 'app.read',
  summary: 'List the numbers by which postbacks of SKAdNetwork name the ad sets of an app',
  response: { 200: envelope(SourceIdentifierList) },
});

export const deleteApps = endpoint('DELETE /app/batch', {
  companyPermission: 'app.write',
  summary: 'Delete apps, all or none',
  body: AppBatch,
  response: { 200: envelope(AppBatch), ...missing, ...conflict },
});
