import { z } from 'zod';
import { endpoint } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
import { CompanySummary } from './schema.ts';

export const listCompanySummaries = endpoint('GET /companies/summary', {
  companyPermission: 'membership.read',
  summary: 'List the companies of the caller with their spend, balance, campaigns and warnings',
  response: { 200: envelope(z.object({ companies: z.array(CompanySummary) })) },
});
