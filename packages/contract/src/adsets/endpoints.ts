import { z } from 'zod';
import { Adset, AdsetInput, AdsetListQuery, AdsetSummary, AdsetUpdate, adsetVersion } from './schema.ts';
import { endpoint } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';

export const listAdsets = endpoint('GET /adset', {
  companyPermission: 'adset.read',
  summary: 'List ad sets',
  query: AdsetListQuery,
  response: { 200: envelope(z.object({ adsets: z.array(Adset) })) },
});

export const listAdsetSummaries = endpoint('GET /adset/summary', {
  companyPermission: 'adset.read',
  summary: 'List ad sets with the numbers of their bundles in place of the lists',
  response: { 200: envelope(z.object({ adsets: z.array(AdsetSummary) })) },
});

export const readAdset = endpoint('GET /adset/:uuid', {
  companyPermission: 'adset.read',
  summary: 'Read an ad set',
  version: adsetVersion,
  response: { 200: envelope(Adset) },
});

export const createAdset = endpoint('POST /adset', {
  companyPermission: 'adset.write',
  summary: 'Create an ad set',
  body: AdsetInput,
  version: adsetVersion,
  response: { 201: envelope(Adset) },
});

export const updateAdset = endpoint('PUT /adset/:uuid', {
  companyPermission: 'adset.write',
  summary: 'Update an ad set',
  body: AdsetUpdate,
  version: adsetVersion,
  response: { 200: envelope(Adset) },
});
