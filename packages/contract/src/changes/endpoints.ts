import { z } from 'zod';
import { ChangeList } from './schema.ts';
import { conflict, endpoint } from '../lib/endpoint.ts';
import { UndoneChange } from '../history/schema.ts';
import { Page, Uuid, envelope } from '../lib/wire.ts';

export const listChanges = endpoint('GET /company/:uid/changes', {
  companyPermission: 'change.read',
  summary: 'Read the change log',
  params: z.object({ uid: Uuid }),
  query: Page,
  response: { 200: envelope(ChangeList) },
});

export const undoChange = endpoint('POST /changes/:uuid/undo', {
  companyPermission: 'change.undo',
  summary: 'Set the fields of a changed campaign, ad set or target back to their earlier values',
  response: { 200: envelope(UndoneChange), ...conflict },
});
