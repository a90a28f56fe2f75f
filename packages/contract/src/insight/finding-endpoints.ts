import { DeliveryQuery } from './delivery-query.ts';
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
