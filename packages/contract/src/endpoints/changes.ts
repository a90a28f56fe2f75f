import { z } from 'zod';
import { ChangeList } from '../change.ts';
import { endpoint } from '../endpoint.ts';
import { Page, Uuid, envelope } from '../wire.ts';

export const listChanges = endpoint({
  method: 'GET',
  path: '/company/:uid/changes',
  summary: 'Read the change log',
  params: z.object({ uid: Uuid }),
  query: Page,
  response: { 200: envelope(ChangeList) },
});
