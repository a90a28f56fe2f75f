import { endpoint, limited } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
import { Comparison, ComparisonQuery, PostbackReport, PostbackReportQuery } from './report.ts';

export const reportPostbacks = endpoint('POST /analytics/skadnetwork', {
  companyPermission: 'report.read',
  summary: 'Count postbacks of SKAdNetwork and AdAttributionKit by any of their keys',
  body: PostbackReportQuery,
  response: { 200: envelope(PostbackReport), ...limited },
});

export const comparePostbacks = endpoint('GET /analytics/skadnetwork/comparison', {
  companyPermission: 'report.read',
  summary: 'Compare installs by postbacks with those of measurement partners, by ad set and day of arrival',
  query: ComparisonQuery,
  response: { 200: envelope(Comparison), ...limited },
});
