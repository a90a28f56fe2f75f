import { PARQUET } from '@bidwell/contract/reports/endpoints';
import { reportScheduleMessages } from '@bidwell/contract/report-schedules/messages';
import type { Context } from '../../../context.ts';
import type { Owner } from '../../../platform/actor.ts';
import { consoleUrlOf } from '../../../platform/brand/page-brand.ts';
import { QueryTooLarge } from '../../../platform/clickhouse/client.ts';
import { untilAborted } from '../../../platform/concurrency/time-limits.ts';
import { Invalid } from '../../../platform/errors.ts';
import { workOnImage } from '../../../platform/files/images.ts';
import { BYTE_ORDER_MARK, type CsvCell, csvLine, parquetFile } from '../table-file.ts';
import {
  summarizeReport,
  type ReportMailContent,
  type ReportMailHead,
  fileMail,
  tableMail,
  barChart,
} from './report-mail.ts';
import { type ReportTable, openReportTable } from '../report-table.ts';
import type { BegunRun } from './run-store.ts';
import { reportMailToken } from './unsubscribe.ts';
import type { ReportContent, ExportQuery } from '@bidwell/contract/reports/schema';
import { isTimeLevel } from '../buckets.ts';
import type { ReportPeriod } from './due-times.ts';
import type { ReportLevel } from '@bidwell/contract/reports/metrics';
import { countsQueryOf } from '../level-report.ts';

/** Largest file of a mail: with its encoding, mail servers accept a third more. */
const FILE_BYTES_MAX = 5 * 1024 ** 2;
/** Most rows of a Parquet file, which is made in memory. */
const PARQUET_ROWS_MAX = 50_000;
/** Rows of a report that is read in the mail. */
const SHOWN_MAX = 30;
/** Time of the query of a file, in seconds. */
const QUERY_SECONDS_MAX = 60;

/** A file of a report. */
export interface ReportFile {
  filename: string;
  content: Buffer;
  contentType: string;
}

/** A report that is ready to be sent. */
export interface MadeReport {
  /** Rows of the file or the table. */
  rows: number;
  /** Null for a table that is read in the mail. */
  file: ReportFile | null;
  /** The mail to a person, with the link that ends their mails. */
  mailTo: (userId: string) => ReportMailContent;
}

/**
 * Makes the report of a run. Throws Invalid, with a sentence for the company, for one that cannot be made or is too large, and the reason
 * of `signal` as soon as that aborts.
 */
export async function makeReport(ctx: Context, run: BegunRun, signal: AbortSignal): Promise<MadeReport> {
  signal.throwIfAborted();
  const making =
    run.format === 'mail' ? makeTable(ctx, run) : makeFile(ctx, run, { format: run.format, signal });
  try {
    return await untilAborted(making, signal);
  } catch (error) {
    throw error instanceof QueryTooLarge ? new Invalid([], reportScheduleMessages.reportFileTooLarge) : error;
  }
}

async function makeTable(ctx: Context, run: BegunRun): Promise<MadeReport> {
  const { companyId } = run;
  const summary = await summarizeReport(ctx, { companyId }, queryOf(run), SHOWN_MAX);
  const svg = Buffer.from(barChart(summary.spend.values));
  const chart = await workOnImage(companyId, async (open) => open(svg, {}).png().toBuffer());
  const headTo = await headsOf(ctx, run);
  return {
    rows: summary.rows.length,
    file: null,
    mailTo: (userId) => tableMail(headTo(userId), summary, chart),
  };
}

async function makeFile(
  ctx: Context,
  run: BegunRun,
  { format, signal }: { format: 'csv' | 'parquet'; signal: AbortSignal },
): Promise<MadeReport> {
  const owner: Owner = { companyId: run.companyId };
  const table = await openReportTable(ctx, owner, queryOf(run), { max_execution_time: QUERY_SECONDS_MAX });
  const { rows, content } = format === 'csv' ? await csvOf(table, signal) : await parquetOf(table, signal);
  if (content.length > FILE_BYTES_MAX) throw tooLarge();
  const file: ReportFile = {
    filename: `report-${run.start}-${run.end}.${format}`,
    content,
    contentType: format === 'csv' ? 'text/csv; charset=utf-8' : PARQUET,
  };
  const headTo = await headsOf(ctx, run);
  return { rows, file, mailTo: (userId) => fileMail(headTo(userId), { rows, file }) };
}

/** Ends its query where `signal` aborts. */
async function csvOf(
  { columns, batches }: ReportTable,
  signal: AbortSignal,
): Promise<{ rows: number; content: Buffer }> {
  const parts = [Buffer.from(BYTE_ORDER_MARK + csvLine(columns.map(({ name }) => name)))];
  let rows = 0;
  let bytes = 0;
  for await (const batch of batches) {
    signal.throwIfAborted();
    const part = Buffer.from(batch.map(csvLine).join(''));
    parts.push(part);
    rows += batch.length;
    bytes += part.length;
    if (bytes > FILE_BYTES_MAX) throw tooLarge();
  }
  return { rows, content: Buffer.concat(parts) };
}

/** Ends its query where `signal` aborts. */
async function parquetOf(
  { columns, batches }: ReportTable,
  signal: AbortSignal,
): Promise<{ rows: number; content: Buffer }> {
  const rows: CsvCell[][] = [];
  for await (const batch of batches) {
    signal.throwIfAborted();
    if (rows.length + batch.length > PARQUET_ROWS_MAX) throw tooLarge();
    rows.push(...batch);
  }
  return { rows: rows.length, content: Buffer.from(await parquetFile(columns, rows)) };
}

const tooLarge = (): Invalid => new Invalid([], reportScheduleMessages.reportFileTooLarge);

const queryOf = ({ report, start, end }: BegunRun) => reportQuery(report, { start, end });

/** The content of a report's mails, by person. */
async function headsOf(
  { config, brand }: Context,
  run: BegunRun,
): Promise<(userId: string) => ReportMailHead> {
  const { companyId, scheduleId, name, companyName, report, start, end } = run;
  const current = await brand.current();
  const url = consoleUrlOf(current, config);
  const period = { start, end };
  const link = reportLink(url, report, period);
  return (userId) => {
    const token = reportMailToken(config.signingSecret, { companyId, scheduleId, userId });
    return {
      product: current.settings.name,
      name,
      companyName,
      period,
      link,
      unsubscribeLink: `${url}/unsubscribe-report#${token}`,
      unsubscribeAddress: `${url}/api/internal/report-schedules/unsubscribe/${token}`,
    };
  };
}

/** The address of a report in the console for a period. `url` is the console's. Pure. */
function reportLink(url: string, report: ReportContent, { start, end }: ReportPeriod): string {
  const search = new URLSearchParams({ from: start, to: end, levels: Object.keys(report.levels).join(',') });
  if (report.metrics && report.metrics.length > 0) search.set('metrics', report.metrics.join(','));
  if (report.campaign_kind) search.set('campaign_kind', report.campaign_kind);
  const filters = [...Object.entries(report.levels), ...Object.entries(report.filters ?? {})];
  for (const [key, values] of filters)
    if (values && !isTimeLevel(key)) search.set(key === 'campaign' ? 'campaign_uuid' : key, values);
  return `${url}/reports?${search.toString()}`;
}

/** The query of a stored report for a period. Pure. */
function reportQuery(report: ReportContent, { start, end }: ReportPeriod): ExportQuery {
  return { ...report, start_date: start, end_date: end };
}

/** Throws Invalid for a report that would be rejected, with the fields within `report`. */
export function requireValidReport(
  report: ReportContent,
  { period, timeZone, now }: { period: ReportPeriod; timeZone: string; now: Date },
): void {
  const levels = Object.keys(report.levels) as ReportLevel[];
  try {
    countsQueryOf({ ...period, timeZone }, levels, reportQuery(report, period), now.getTime());
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    const fields = error.fields.map(({ field, message }) => ({ field: `report.${field}`, message }));
    throw new Invalid(fields, error.message);
  }
}
