import { z } from 'zod';
import { endpoint } from '../lib/endpoint.ts';
import { MarkRead, Notification } from './schema.ts';
import { envelope } from '../lib/wire.ts';

const response = { 200: envelope(z.array(Notification)) };

export const listNotifications = endpoint('GET /notifications', {
  companyPermission: 'notification.read',
  summary: 'List notifications',
  response,
});

export const markNotificationsRead = endpoint('PATCH /notifications', {
  companyPermission: 'notification.write',
  summary: 'Mark notifications as read',
  body: MarkRead,
  response,
});
