import { z } from 'zod';
import { App, AppBatch, AppInput, AppUpdate, ParsedStoreLink, StoreLinkInput, appVersion } from './schema.ts';
import { AppEvents, AppEventsSaved, AppEventsUpdate, appEventSettingsVersion } from './event-settings.ts';
import { conflict, endpoint, missing } from '../lib/endpoint.ts';
import { CreatedRange, UuidParams, envelope } from '../lib/wire.ts';
import { SourceIdentifierList } from '../skadnetwork/schema.ts';

export const listApps = endpoint({
  method: 'GET',
  path: '/app',
  companyPermission: 'app.read',
  summary: 'List apps',
  query: CreatedRange,
  response: { 200: envelope(z.object({ apps: z.array(App) })) },
});

export const readApp = endpoint({
  method: 'GET',
  path: '/app/:uuid',
  companyPermission: 'app.read',
  summary: 'Read an app',
  params: UuidParams,
  version: appVersion,
  response: { 200: envelope(App) },
});

export const createApp = endpoint({
  method: 'POST',
  path: '/app',
  companyPermission: 'app.write',
  summary: 'Register an app',
  body: AppInput,
  version: appVersion,
  response: { 201: envelope(App), ...conflict },
});

export const parseStoreLink = endpoint({
  method: 'POST',
  path: '/app/parse',
  companyPermission: 'app.write',
  summary: 'Read a store link',
  body: StoreLinkInput,
  response: { 200: envelope(ParsedStoreLink) },
});

export const updateApp = endpoint({
  method: 'PUT',
  path: '/app/:uuid',
  companyPermission: 'app.write',
  summary: 'Update an app',
  params: UuidParams,
  body: AppUpdate,
  version: appVersion,
  response: { 200: envelope(App), ...conflict },
});

export const readAppEvents = endpoint({
  method: 'GET',
  path: '/app/:uuid/events',
  companyPermission: 'app.read',
  summary: 'List the in-app events of an app, and how they count',
  params: UuidParams,
  version: appEventSettingsVersion,
  response: { 200: envelope(AppEvents) },
});

export const updateAppEvents = endpoint({
  method: 'PUT',
  path: '/app/:uuid/events',
  companyPermission: 'app.write',
  summary: 'Change how in-app events of an app are shown and count',
  params: UuidParams,
  body: AppEventsUpdate,
  version: appEventSettingsVersion,
  response: { 200: envelope(AppEventsSaved) },
});

export const listSourceIdentifiers = endpoint({
  method: 'GET',
  path: '/app/:uuid/source_identifiers',
  companyPermission: 'app.read',
  summary: 'List the numbers by which postbacks of SKAdNetwork name the ad sets of an app',
  params: UuidParams,
  response: { 200: envelope(SourceIdentifierList) },
});

export const deleteApps = endpoint({
  method: 'DELETE',
  path: '/app/batch',
  companyPermission: 'app.write',
  summary: 'Delete apps, all or none',
  body: AppBatch,
  response: { 200: envelope(AppBatch), ...missing, ...conflict },
});
