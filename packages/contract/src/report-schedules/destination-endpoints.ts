import { z } from 'zod';
import { conflict, endpoint, limited } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
import {
  NewReportDestination,
  ReportDestination,
  ReportDestinationInput,
  ReportDestinationTest,
} from './destination-schema.ts';

export const listReportDestinations = endpoint('GET /report-destinations', {
  companyPermission: 'report_schedule.read',
  summary: 'List the webhooks and S3 buckets that scheduled reports may be sent to',
  response: { 200: envelope(z.object({ destinations: z.array(ReportDestination) })) },
});

export const createReportDestination = endpoint('POST /report-destinations', {
  companyPermission: 'report_destination.write',
  answersSecret: true,
  summary: 'Add a webhook or an S3 bucket for scheduled reports',
  body: ReportDestinationInput,
  response: { 201: envelope(NewReportDestination), ...conflict },
});

export const deleteReportDestination = endpoint('DELETE /report-destinations/:uuid', {
  companyPermission: 'report_destination.write',
  summary: 'Remove a destination that no scheduled report is sent to',
  response: { 200: envelope(z.object({ deleted: z.literal(true) })), ...conflict },
});

export const testReportDestination = endpoint('POST /report-destinations/:uuid/test', {
  companyPermission: 'report_destination.write',
  summary: 'Send a test message, or store a test object, and say what became of it',
  response: { 200: envelope(ReportDestinationTest), ...limited },
});
