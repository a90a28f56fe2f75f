import type { ReportMessage } from '@bidwell/contract/report-schedules/destination-schema';
import { BYTE_ORDER_MARK } from '../csv-line.ts';
import type { Parcel } from './destinations/deliver.ts';
import type { ReportFile } from './make-report.ts';
import type { BegunRun } from './run-store.ts';

/** What destinations get of a report: programs read it, so a CSV file has no byte order mark there. Pure. */
export function parcelOf(
  run: BegunRun,
  { rows, file, at }: { rows: number; file: ReportFile; at: Date },
): Parcel {
  const isText = run.format === 'csv';
  const content = isText ? file.content.subarray(Buffer.byteLength(BYTE_ORDER_MARK)) : file.content;
  const message: ReportMessage = {
    type: 'report.scheduled',
    timestamp: at.toISOString(),
    data: {
      company_uuid: run.companyId,
      company_name: run.companyName,
      report_schedule_uuid: run.scheduleId,
      name: run.name,
      start_date: run.start,
      end_date: run.end,
      rows,
      file: {
        name: file.filename,
        media_type: file.contentType,
        encoding: isText ? 'utf-8' : 'base64',
        content: content.toString(isText ? 'utf8' : 'base64'),
      },
    },
  };
  return {
    id: run.uuid,
    message,
    file: { path: `${run.scheduleId}/${file.filename}`, content, contentType: file.contentType },
  };
}
