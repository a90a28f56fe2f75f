import { z } from 'zod';
import { conflict, endpoint, limited } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
import {
  CostReport,
  CostReportQuery,
  CostUpload,
  PartnerCosts,
  PartnerCostsInput,
  partnerCostsVersion,
} from './partner-costs.ts';

// Any text, so that a partner that takes no costs gets its own 404.
const MmpParams = z.object({ mmp: z.string() });

export const listPartnerCosts = endpoint('GET /partner-costs', {
  companyPermission: 'postbacks.read',
  summary: 'List the measurement partners to which costs can be sent, and how that goes',
  response: { 200: envelope(z.object({ partners: z.array(PartnerCosts) })) },
});

export const updatePartnerCosts = endpoint('PUT /partner-costs/:mmp', {
  companyPermission: 'report_destination.write',
  summary: 'Set whether costs are sent to a measurement partner, with its token',
  params: MmpParams,
  body: PartnerCostsInput,
  version: partnerCostsVersion,
  response: { 200: envelope(PartnerCosts) },
});

export const sendPartnerCosts = endpoint('POST /partner-costs/:mmp/send', {
  companyPermission: 'report_destination.write',
  summary: 'Send the costs of the last seven days to a measurement partner now',
  params: MmpParams,
  response: { 200: envelope(PartnerCosts), ...conflict, ...limited },
});

export const listCostUploads = endpoint('GET /partner-costs/:mmp/uploads', {
  companyPermission: 'postbacks.read',
  summary: 'List the latest uploads of costs to a measurement partner, newest first',
  params: MmpParams,
  response: { 200: envelope(z.object({ uploads: z.array(CostUpload) })) },
});

export const reportCosts = endpoint('GET /analytics/costs', {
  companyPermission: 'report.read',
  summary:
    'Read costs by day, app, campaign, ad set, creative, country and publisher, for measurement partners',
  query: CostReportQuery,
  response: { 200: envelope(CostReport), ...limited },
});
