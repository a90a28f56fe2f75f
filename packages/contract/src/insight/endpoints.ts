import { z } from 'zod';
import { RankedFindings } from './company-delivery.ts';
import { CreativeFindings } from './creative-finding.ts';
import { DeliveryQuery, LostRequest, LostRequestQuery } from './delivery-report.ts';
import { endpoint, limited } from '../lib/endpoint.ts';
import { Findings, MainFindings } from './finding.ts';
import { envelope } from '../lib/wire.ts';

export const readFindings = endpoint('GET /campaign/:uuid/findings', {
  companyPermission: 'report.read',
  summary: 'Read why a campaign spends less than it could',
  query: DeliveryQuery,
  response: { 200: envelope(Findings), ...limited },
});

export const listMainFindings = endpoint('GET /findings', {
  companyPermission: 'report.read',
  summary: 'List what limits each active campaign and ad set most',
  query: DeliveryQuery,
  response: { 200: envelope(MainFindings), ...limited },
});

export const listRankedFindings = endpoint('GET /findings/ranked', {
  companyPermission: 'report.read',
  summary: 'List what limits the active campaigns, what costs the most first',
  query: DeliveryQuery,
  response: { 200: envelope(RankedFindings), ...limited },
});

export const listCreativeFindings = endpoint('GET /findings/creatives', {
  companyPermission: 'report.read',
  summary: 'List what keeps each creative from being shown',
  query: DeliveryQuery,
  response: { 200: envelope(CreativeFindings), ...limited },
});

export const readLostRequest = endpoint('GET /campaign/:uuid/delivery/request', {
  companyPermission: 'report.read',
  summary: 'Read a sampled bid request that a campaign loses for a reason',
  query: LostRequestQuery,
  response: { 200: envelope(z.object({ lost: LostRequest.nullable() })), ...limited },
});
