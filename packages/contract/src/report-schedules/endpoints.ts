import { z } from 'zod';
import { UnsubscribeParams } from '../alerts/preferences.ts';
import { conflict, endpoint, limited, missing } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
import { ReportRun, ReportSchedule, ReportScheduleInput, reportScheduleVersion } from './schema.ts';

export const listReportSchedules = endpoint('GET /report-schedules', {
  companyPermission: 'report_schedule.read',
  summary: 'List the reports that are sent again and again',
  response: {
    200: envelope(
      z.object({
        schedules: z.array(ReportSchedule),
        /** Whether the server sends mails. */
        is_mailed: z.boolean(),
      }),
    ),
  },
});

export const createReportSchedule = endpoint('POST /report-schedules', {
  companyPermission: 'report_schedule.write',
  summary: 'Schedule a report for people of the company',
  body: ReportScheduleInput,
  version: reportScheduleVersion,
  response: { 201: envelope(ReportSchedule), ...conflict },
});

export const updateReportSchedule = endpoint('PUT /report-schedules/:uuid', {
  companyPermission: 'report_schedule.write',
  summary: 'Change a scheduled report, or switch it on or off',
  body: ReportScheduleInput,
  version: reportScheduleVersion,
  response: { 200: envelope(ReportSchedule) },
});

export const deleteReportSchedule = endpoint('DELETE /report-schedules/:uuid', {
  companyPermission: 'report_schedule.write',
  summary: 'Remove a scheduled report',
  version: reportScheduleVersion,
  response: { 200: envelope(z.object({ deleted: z.literal(true) })) },
});

export const sendReportNow = endpoint('POST /report-schedules/:uuid/send', {
  companyPermission: 'report_schedule.write',
  summary: 'Send the report of the latest complete period, also once more',
  response: { 200: envelope(ReportRun), ...conflict, ...limited },
});

export const listReportRuns = endpoint('GET /report-schedules/:uuid/runs', {
  companyPermission: 'report_schedule.read',
  summary: 'List the latest reports of a schedule, newest first',
  response: { 200: envelope(z.object({ runs: z.array(ReportRun) })) },
});

/** Mail programs call it by RFC 8058. */
export const unsubscribeReport = endpoint('POST /report-schedules/unsubscribe/:token', {
  summary: 'End the mails of a scheduled report to the person of a link',
  isPublic: true,
  params: UnsubscribeParams,
  response: { 200: envelope(z.object({ name: z.string() })), ...missing, ...limited },
});
