import { z } from 'zod';
import { CompanyDelivery, RankedFindings } from './company-delivery.ts';
import { CreativeFindings } from './creative-finding.ts';
import { DeliveryQuery } from './delivery-query.ts';
import { DeliveryReport, LostRequest, LostRequestQuery } from './delivery-report.ts';
import { endpoint, limited } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';

export const readDelivery = endpoint('GET /campaign/:uuid/delivery', {
  companyPermission: 'report.read',
  summary: 'Read where the bid requests of a campaign were lost on the way to an impression',
  query: DeliveryQuery,
  response: { 200: envelope(DeliveryReport), ...limited },
});

export const readCompanyDelivery = endpoint('GET /delivery', {
  companyPermission: 'report.read',
  summary: 'Read how bid requests became impressions of all campaigns, and where they were lost',
  query: DeliveryQuery,
  response: { 200: envelope(CompanyDelivery), ...limited },
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
