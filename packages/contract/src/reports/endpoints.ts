import { z } from 'zod';
import {
  BundleQuery,
  BundleReport,
  EventsQuery,
  ExportQuery,
  HighlightQuery,
  Highlights,
  LevelQuery,
  LevelReport,
} from './schema.ts';
import { CohortExportQuery, CohortQuery, CohortReport } from './cohorts.ts';
import { endpoint, limited } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';

/** Media type of Parquet files. */
export const PARQUET = 'application/vnd.apache.parquet';

export const readHighlights = endpoint('GET /v2/analytics/highlight', {
  companyPermission: 'report.read',
  summary: 'Read the highlights',
  query: HighlightQuery,
  response: { 200: envelope(Highlights), ...limited },
});

export const reportByBundle = endpoint('POST /analytics/bundle', {
  companyPermission: 'report.read',
  summary: 'Report by publisher bundle',
  body: BundleQuery,
  response: { 200: envelope(BundleReport), ...limited },
});

export const reportByLevels = endpoint('POST /analytics/level', {
  companyPermission: 'report.read',
  summary: 'Report by levels',
  body: LevelQuery,
  response: { 200: envelope(LevelReport), ...limited },
});

export const reportByCohorts = endpoint('POST /analytics/cohorts', {
  companyPermission: 'report.read',
  summary: 'Report revenue and retention by days since the install',
  body: CohortQuery,
  response: { 200: envelope(CohortReport), ...limited },
});

const text = { schema: z.string() };

export const exportReport = endpoint('POST /analytics/export', {
  companyPermission: 'report.read',
  summary: 'Export a level report as CSV, however many rows it has',
  body: ExportQuery,
  response: { 200: { content: { 'text/csv': text } }, ...limited },
});

export const exportCohorts = endpoint('POST /analytics/cohorts/export', {
  companyPermission: 'report.read',
  summary: 'Export cohorts as CSV or Parquet, with a line for each row and day',
  body: CohortExportQuery,
  response: { 200: { content: { 'text/csv': text, [PARQUET]: text } }, ...limited },
});

export const exportEvents = endpoint('GET /analytics/events', {
  companyPermission: 'report.read',
  summary: 'Export every event of one day as CSV or Parquet',
  query: EventsQuery,
  response: { 200: { content: { 'text/csv': text, [PARQUET]: text } }, ...limited },
});
