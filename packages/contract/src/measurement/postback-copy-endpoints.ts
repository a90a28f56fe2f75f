import { z } from 'zod';
import { conflict, endpoint, limited } from '../lib/endpoint.ts';
import { Uuid, envelope } from '../lib/wire.ts';
import {
  PostbackCopies,
  PostbackCopy,
  PostbackCopyInput,
  PostbackCopyTarget,
  postbackCopyTargetVersion,
} from './postback-copies.ts';

export const readPostbackCopies = endpoint('GET /app/:uuid/postback-copies', {
  companyPermission: 'app.read',
  summary:
    'Read to which measurement partners copies of an iOS app’s postbacks are sent, and the latest copies',
  response: { 200: envelope(PostbackCopies) },
});

export const updatePostbackCopies = endpoint('PUT /app/:uuid/postback-copies/:mmp', {
  companyPermission: 'report_destination.write',
  summary: 'Set whether copies of an iOS app’s postbacks are sent to a measurement partner',
  // Any text, so that a partner that does not exist gets its own 404.
  params: z.object({ uuid: Uuid, mmp: z.string() }),
  body: PostbackCopyInput,
  version: postbackCopyTargetVersion,
  response: { 200: envelope(PostbackCopyTarget) },
});

export const resendPostbackCopy = endpoint('POST /postback-copies/:uuid/send', {
  companyPermission: 'report_destination.write',
  summary: 'Send a copy of a postback once more',
  response: { 200: envelope(PostbackCopy), ...conflict, ...limited },
});
