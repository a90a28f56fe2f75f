import { z } from 'zod';
import { conflict, endpoint, limited } from '../lib/endpoint.ts';
import { Uuid, envelope } from '../lib/wire.ts';
import { ExchangeReview, ExchangeReviews } from './exchange-reviews.ts';

export const listExchangeReviews = endpoint('GET /exchange-reviews', {
  companyPermission: 'creative.read',
  summary: 'List the reviews of creatives by exchanges',
  response: { 200: envelope(ExchangeReviews) },
});

export const sendForReview = endpoint('POST /creative/:uuid/exchange-reviews/:slug/send', {
  companyPermission: 'creative.write',
  summary: 'Send a creative to an exchange for review again',
  params: z.object({ uuid: Uuid, slug: z.string() }),
  response: { 200: envelope(ExchangeReview), ...conflict, ...limited },
});
