import { DeliveryQuery } from '../delivery-report.ts';
import { endpoint, limited } from '../endpoint.ts';
import { Findings } from '../finding.ts';
import { UuidParams, envelope } from '../wire.ts';

export const readFindings = endpoint({
  method: 'GET',
  path: '/campaign/:uuid/findings',
  summary: 'Read why a campaign spends less than it could',
  params: UuidParams,
  query: DeliveryQuery,
  response: { 200: envelope(Findings), ...limited },
});
