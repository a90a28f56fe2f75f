import { z } from 'zod';
import { endpoint, limited } from '../lib/endpoint.ts';
import {
  PostbackSource,
  PostbackSourceUpdate,
  PostbackTest,
  Postbacks,
  postbackSourceVersion,
} from './schema.ts';
import { envelope } from '../lib/wire.ts';

export const readPostbacks = endpoint('GET /postbacks', {
  companyPermission: 'postbacks.read',
  summary: 'Read the addresses of postbacks',
  response: { 200: envelope(Postbacks) },
});

export const rotatePostbackSecret = endpoint('POST /postbacks/secret', {
  companyPermission: 'postbacks.write',
  summary: 'Replace the secret in the addresses of postbacks; the one before stays valid for a day',
  answersSecret: true,
  response: { 200: envelope(Postbacks) },
});

export const updatePostbackSource = endpoint('PUT /postbacks/:mmp', {
  companyPermission: 'postbacks.write',
  summary: 'Set how postbacks of a partner are checked',
  // Any text, so that a partner that does not exist gets its own 404.
  params: z.object({ mmp: z.string() }),
  body: PostbackSourceUpdate,
  version: postbackSourceVersion,
  response: { 200: envelope(PostbackSource) },
});

export const testPostback = endpoint('POST /postbacks/:mmp/test', {
  companyPermission: 'postbacks.write',
  summary: 'Send a test install to the address of postbacks; nothing is stored or counted',
  params: z.object({ mmp: z.string() }),
  response: { 200: envelope(PostbackTest), ...limited },
});
