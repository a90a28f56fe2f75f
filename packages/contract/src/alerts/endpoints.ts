import { z } from 'zod';
import { conflict, endpoint, limited, missing } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
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
  AlertDeliveriesQuery,
  AlertDelivery,
  AlertDeliveryPage,
  NewAlertChannel,
  alertChannelVersion,
  alertSettingsVersion,
} from './schema.ts';

export const listAlertChannels = endpoint('GET /alerts/channels', {
  companyPermission: 'alert.read',
  summary: 'List the channels to which the company sends alerts',
  response: { 200: envelope(z.object({ channels: z.array(AlertChannel) })) },
});

export const createAlertChannel = endpoint('POST /alerts/channels', {
  companyPermission: 'alert.write',
  summary: 'Add a channel; the response alone has the secret that signs the messages of a webhook',
  body: AlertChannelInput,
  answersSecret: true,
  version: alertChannelVersion,
  response: { 201: envelope(NewAlertChannel), ...conflict },
});

export const updateAlertChannel = endpoint('PATCH /alerts/channels/:uuid', {
  companyPermission: 'alert.write',
  summary: 'Change the name or the kinds of a channel, or switch it on or off',
  body: AlertChannelUpdate,
  version: alertChannelVersion,
  response: { 200: envelope(AlertChannel) },
});

export const deleteAlertChannel = endpoint('DELETE /alerts/channels/:uuid', {
  companyPermission: 'alert.write',
  summary: 'Remove a channel with its deliveries',
  version: alertChannelVersion,
  response: { 200: envelope(z.object({ deleted: z.literal(true) })) },
});

export const testAlertChannel = endpoint('POST /alerts/channels/:uuid/test', {
  companyPermission: 'alert.write',
  summary: 'Send a test alert to a channel',
  response: { 200: envelope(AlertDelivery), ...conflict, ...limited },
});

export const listAlertDeliveries = endpoint('GET /alerts/channels/:uuid/deliveries', {
  companyPermission: 'alert.read',
  summary: 'List the deliveries to a channel, newest first',
  query: AlertDeliveriesQuery,
  response: { 200: envelope(AlertDeliveryPage) },
});

export const replayAlertDelivery = endpoint('POST /alerts/deliveries/:uuid/replay', {
  companyPermission: 'alert.write',
  summary: 'Send a delivery once more, with the same id',
  response: { 200: envelope(AlertDelivery), ...conflict, ...limited },
});

export const readAlertPreferences = endpoint('GET /alerts/preferences', {
  companyPermission: 'user.read',
  summary: 'Read which alerts of the company the caller gets by mail, and when',
  version: alertPreferencesVersion,
  response: { 200: envelope(AlertPreferences) },
});

export const saveAlertPreferences = endpoint('PUT /alerts/preferences', {
  companyPermission: 'user.write',
  summary: 'Choose which alerts of the company the caller gets by mail, and when',
  body: AlertPreferencesInput,
  version: alertPreferencesVersion,
  response: { 200: envelope(AlertPreferences) },
});

/** Mail programs call it by RFC 8058. */
export const unsubscribe = endpoint('POST /alerts/unsubscribe/:token', {
  summary: 'End the mails of the person and company of a link',
  isPublic: true,
  params: UnsubscribeParams,
  response: { 200: envelope(z.object({ company_name: z.string() })), ...missing, ...limited },
});

export const readAlertSettings = endpoint('GET /alerts/settings', {
  companyPermission: 'alert.read',
  summary: 'Read when the company is alerted',
  version: alertSettingsVersion,
  response: { 200: envelope(AlertSettings) },
});

export const saveAlertSettings = endpoint('PUT /alerts/settings', {
  companyPermission: 'alert.write',
  summary: 'Choose when the company is alerted',
  body: AlertSettings,
  version: alertSettingsVersion,
  response: { 200: envelope(AlertSettings) },
});

export const listAlertRules = endpoint('GET /alerts/rules', {
  companyPermission: 'alert.read',
  summary: 'List the rules by which figures alert the company, with what their last check said',
  response: { 200: envelope(z.object({ rules: z.array(AlertRule) })) },
});

export const createAlertRule = endpoint('POST /alerts/rules', {
  companyPermission: 'alert.write',
  summary: 'Add a rule: a figure, and when it is worth an alert',
  body: AlertRuleInput,
  version: alertRuleVersion,
  response: { 201: envelope(AlertRule), ...conflict },
});

export const updateAlertRule = endpoint('PUT /alerts/rules/:uuid', {
  companyPermission: 'alert.write',
  summary: 'Change a rule, or switch it on or off; it is then checked again',
  body: AlertRuleInput,
  version: alertRuleVersion,
  response: { 200: envelope(AlertRule) },
});

export const deleteAlertRule = endpoint('DELETE /alerts/rules/:uuid', {
  companyPermission: 'alert.write',
  summary: 'Remove a rule',
  version: alertRuleVersion,
  response: { 200: envelope(z.object({ deleted: z.literal(true) })) },
});
