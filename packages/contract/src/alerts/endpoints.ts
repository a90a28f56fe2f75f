import { z } from 'zod';
import { conflict, endpoint, limited, missing } from '../lib/endpoint.ts';
import { UuidParams, envelope } from '../lib/wire.ts';
import {
  AlertPreferences,
  AlertPreferencesInput,
  UnsubscribeParams,
  alertPreferencesVersion,
} from './preferences.ts';
import { AlertRule, AlertRuleInput, alertRuleVersion } from './rules.ts';
import {
  AlertSettings,
  AlertChannel,
  AlertChannelInput,
  AlertChannelUpdate,
  AlertDelivery,
  NewAlertChannel,
  alertChannelVersion,
  alertSettingsVersion,
} from './schema.ts';

export const listAlertChannels = endpoint({
  method: 'GET',
  path: '/alerts/channels',
  companyPermission: 'alert.read',
  summary: 'List the channels to which the company sends alerts',
  response: { 200: envelope(z.object({ channels: z.array(AlertChannel) })) },
});

export const createAlertChannel = endpoint({
  method: 'POST',
  path: '/alerts/channels',
  companyPermission: 'alert.write',
  summary: 'Add a channel; the response alone has the secret that signs the messages of a webhook',
  body: AlertChannelInput,
  answersSecret: true,
  version: alertChannelVersion,
  response: { 201: envelope(NewAlertChannel), ...conflict },
});

export const updateAlertChannel = endpoint({
  method: 'PATCH',
  path: '/alerts/channels/:uuid',
  companyPermission: 'alert.write',
  summary: 'Change the name or the kinds of a channel, or switch it on or off',
  params: UuidParams,
  body: AlertChannelUpdate,
  version: alertChannelVersion,
  response: { 200: envelope(AlertChannel) },
});

export const deleteAlertChannel = endpoint({
  method: 'DELETE',
  path: '/alerts/channels/:uuid',
  companyPermission: 'alert.write',
  summary: 'Remove a channel with its deliveries',
  params: UuidParams,
  version: alertChannelVersion,
  response: { 200: envelope(z.object({ deleted: z.literal(true) })) },
});

export const testAlertChannel = endpoint({
  method: 'POST',
  path: '/alerts/channels/:uuid/test',
  companyPermission: 'alert.write',
  summary: 'Send a test alert to a channel',
  params: UuidParams,
  response: { 200: envelope(AlertDelivery), ...conflict, ...limited },
});

export const listAlertDeliveries = endpoint({
  method: 'GET',
  path: '/alerts/channels/:uuid/deliveries',
  companyPermission: 'alert.read',
  summary: 'List the latest deliveries to a channel, newest first',
  params: UuidParams,
  response: { 200: envelope(z.object({ deliveries: z.array(AlertDelivery) })) },
});

export const replayAlertDelivery = endpoint({
  method: 'POST',
  path: '/alerts/deliveries/:uuid/replay',
  companyPermission: 'alert.write',
  summary: 'Send a delivery once more, with the same id',
  params: UuidParams,
  response: { 200: envelope(AlertDelivery), ...conflict, ...limited },
});

export const readAlertPreferences = endpoint({
  method: 'GET',
  path: '/alerts/preferences',
  companyPermission: 'user.read',
  summary: 'Read which alerts of the company the caller gets by mail, and when',
  version: alertPreferencesVersion,
  response: { 200: envelope(AlertPreferences) },
});

export const saveAlertPreferences = endpoint({
  method: 'PUT',
  path: '/alerts/preferences',
  companyPermission: 'user.write',
  summary: 'Choose which alerts of the company the caller gets by mail, and when',
  body: AlertPreferencesInput,
  version: alertPreferencesVersion,
  response: { 200: envelope(AlertPreferences) },
});

/** Mail programs call it by RFC 8058. */
export const unsubscribe = endpoint({
  method: 'POST',
  path: '/alerts/unsubscribe/:token',
  summary: 'End the mails of the person and company of a link',
  isPublic: true,
  params: UnsubscribeParams,
  response: { 200: envelope(z.object({ company_name: z.string() })), ...missing, ...limited },
});

export const readAlertSettings = endpoint({
  method: 'GET',
  path: '/alerts/settings',
  companyPermission: 'alert.read',
  summary: 'Read when the company is alerted',
  version: alertSettingsVersion,
  response: { 200: envelope(AlertSettings) },
});

export const saveAlertSettings = endpoint({
  method: 'PUT',
  path: '/alerts/settings',
  companyPermission: 'alert.write',
  summary: 'Choose when the company is alerted',
  body: AlertSettings,
  version: alertSettingsVersion,
  response: { 200: envelope(AlertSettings) },
});

export const listAlertRules = endpoint({
  method: 'GET',
  path: '/alerts/rules',
  companyPermission: 'alert.read',
  summary: 'List the rules by which figures alert the company, with what their last check said',
  response: { 200: envelope(z.object({ rules: z.array(AlertRule) })) },
});

export const createAlertRule = endpoint({
  method: 'POST',
  path: '/alerts/rules',
  companyPermission: 'alert.write',
  summary: 'Add a rule: a figure, and when it is worth an alert',
  body: AlertRuleInput,
  version: alertRuleVersion,
  response: { 201: envelope(AlertRule), ...conflict },
});

export const updateAlertRule = endpoint({
  method: 'PUT',
  path: '/alerts/rules/:uuid',
  companyPermission: 'alert.write',
  summary: 'Change a rule, or switch it on or off; it is then checked again',
  params: UuidParams,
  body: AlertRuleInput,
  version: alertRuleVersion,
  response: { 200: envelope(AlertRule) },
});

export const deleteAlertRule = endpoint({
  method: 'DELETE',
  path: '/alerts/rules/:uuid',
  companyPermission: 'alert.write',
  summary: 'Remove a rule',
  params: UuidParams,
  version: alertRuleVersion,
  response: { 200: envelope(z.object({ deleted: z.literal(true) })) },
});
