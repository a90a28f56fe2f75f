import { z } from 'zod';
import { endpoint, limited, unauthorized } from '../lib/endpoint.ts';
import { ViewerCode, ViewerSession } from './viewer.ts';
import { envelope } from '../lib/wire.ts';

export const openViewerSession = endpoint('POST /viewer_session', {
  summary: "Exchange an operator's code for a read-only session of a company",
  isPublic: true,
  body: ViewerCode,
  response: { 200: envelope(ViewerSession), ...unauthorized, ...limited },
});

/** Takes the session's access token as its bearer token. An unknown or ended one is ignored. */
export const endViewerSession = endpoint('DELETE /viewer_session', {
  summary: "End an operator's read-only session",
  isPublic: true,
  response: { 200: envelope(z.object({ ended: z.literal(true) })) },
});
