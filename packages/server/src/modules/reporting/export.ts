import type { EventsQuery, ExportQuery } from '@bidwell/contract/reports/schema';
import { messages } from '@bidwell/contract/text/messages';
import type { Context } from '../../context.ts';
import type { Actor } from '../../platform/actor.ts';
import { QueryTooLarge } from '../../platform/clickhouse/client.ts';
import { Invalid } from '../../platform/errors.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { csvLine } from './csv-line.ts';
import { periodOf } from './buckets.ts';
import { streamEvents } from './query/event-store.ts';
import { exportSettings } from './report-limits.ts';
import { openReportTable } from './report-table.ts';
import { rangeOf } from './range.ts';

/**
 * Level report as CSV (RFC 4180, UTF-8). One row for each combination of values, highest spend first; for each level
 * the value and its display name, then the metrics and the figures of the named in-app events. Money is in dollars with at most six decimals; metrics that
 * cannot be computed are empty. Breaks off beyond ten million rows. Throws Invalid for a wrong or too large query.
 */
export async function exportReport(ctx: Context, actor: Actor, query: ExportQuery): Promise<Export<string>> {
  requirePermission(actor, 'report.read');
  const { columns, batches } = await openReportTable(ctx, actor, query);
  async function* lines(): AsyncGenerator<string> {
    let text = csvLine(columns.map(({ name }) => name));
    for await (const rows of batches) {
      for (const row of rows) text += csvLine(row);
      yield text;
      text = '';
    }
    if (text) yield text;
  }
  return startExport(lines());
}

/** Exports all events of one day in the company's time zone; see {@link streamEvents}. Throws Invalid. */
export async function exportEvents(
  ctx: Context,
  actor: Actor,
  { date, format }: EventsQuery,
): Promise<Export<Uint8Array>> {
  requirePermission(actor, 'report.read');
  const range = await rangeOf(ctx, actor, { start_date: date, end_date: date });
  const limits = exportSettings(ctx.config);
  return startExport(streamEvents(ctx.clickhouse, actor.companyId, periodOf(range), format, limits));
}

/** The parts of an export, the first of which has been read. `return` ends it, whether or not it is iterated. */
export interface Export<Part> extends AsyncIterableIterator<Part> {
  return(): Promise<IteratorResult<Part>>;
}

/**
 * Reads the first part, so that a failure up to it gives an error response. Throws Invalid if the export is too
 * large.
 */
export async function startExport<Part>(parts: AsyncGenerator<Part>): Promise<Export<Part>> {
  let first: IteratorResult<Part> | null = await withinExportLimits(() => parts.next());
  const started: Export<Part> = {
    async next() {
      const part = first ?? (await parts.next());
      first = null;
      return part;
    },
    async return() {
      first = null;
      return parts.return(undefined);
    },
    [Symbol.asyncIterator]: () => started,
  };
  return started;
}

/** The result of a query of an export. Throws Invalid when it exceeds its limits. */
export async function withinExportLimits<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof QueryTooLarge ? new Invalid([], messages.exportTooLarge) : error;
  }
}
