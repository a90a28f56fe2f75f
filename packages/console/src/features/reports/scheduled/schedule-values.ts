import type {
  ReportFrequency,
  ReportRun,
  ReportSchedule,
  ReportScheduleInput,
  ScheduledFormat,
} from '@bidwell/contract/report-schedules/schema';
import type { ReportContent } from '@bidwell/contract/reports/schema';
import { formatDay, formatNumber } from '../../../lib/format/format.ts';
import { hourText } from '../../../lib/format/hours.ts';

/** Values of the form's fields. Values of selects are texts. */
export interface ScheduleValues extends Record<string, unknown> {
  name: string;
  format: ScheduledFormat;
  frequency: ReportFrequency;
  weekday: string;
  hour: string;
  user_uuids: string[];
  destination_uuids: string[];
  report: ReportContent;
  is_enabled: boolean;
}

/**
 * The default values of a new schedule: each Monday morning, a mail to oneself where the server sends mails, otherwise a file.
 * Pure.
 */
export const newValues = (report: ReportContent, userId: string, isMailed: boolean): ScheduleValues => ({
  name: '',
  format: isMailed ? 'mail' : 'csv',
  frequency: 'weekly',
  weekday: '1',
  hour: '8',
  user_uuids: isMailed ? [userId] : [],
  destination_uuids: [],
  report,
  is_enabled: true,
});

/** The values of a schedule, with the readers who are still in the company. Pure. */
export function valuesOf(schedule: ReportSchedule, people: readonly { uuid: string }[]): ScheduleValues {
  const { name, format, frequency, weekday, hour, user_uuids, destination_uuids, report, is_enabled } =
    schedule;
  return {
    name,
    format,
    frequency,
    weekday: String(weekday ?? 1),
    hour: String(hour),
    user_uuids: user_uuids.filter((uuid) => people.some((person) => person.uuid === uuid)),
    destination_uuids,
    report,
    is_enabled,
  };
}

/** The request for values of the form. Pure. */
export function inputOf(values: ScheduleValues): ReportScheduleInput {
  const { format, frequency, weekday, hour, destination_uuids } = values;
  return {
    ...values,
    weekday: frequency === 'weekly' ? Number(weekday) : null,
    hour: Number(hour),
    // A table that people read is no file.
    destination_uuids: format === 'mail' ? [] : destination_uuids,
  };
}

/** A schedule as it is sent to change one thing of it. Pure. */
export function inputOfSchedule(schedule: ReportSchedule): ReportScheduleInput {
  const { name, report, format, frequency, weekday, hour, user_uuids, destination_uuids, is_enabled } =
    schedule;
  return { name, report, format, frequency, weekday, hour, user_uuids, destination_uuids, is_enabled };
}

export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

export const FORMAT_LABELS: Readonly<Record<ScheduledFormat, string>> = {
  mail: 'Table and chart',
  csv: 'CSV',
  parquet: 'Parquet',
};

/** When a schedule sends its report: `Every Monday at 08:00`. Pure. */
export function timesText({ frequency, weekday, hour }: ReportSchedule): string {
  const days = { daily: 'Every day', weekly: `Every ${WEEKDAYS[(weekday ?? 1) - 1]}`, monthly: 'Each first' };
  return `${days[frequency]} at ${hourText(hour)}`;
}

/** The recipients of a schedule: `To 3 people, of whom 1 has ended its mails, and 1 destination`. Pure. */
export function readersText(schedule: ReportSchedule): string {
  const { user_uuids: chosen, unsubscribed_uuids: ended, destination_uuids: destinations } = schedule;
  const people = counted(chosen.length, 'person', 'people');
  const places = counted(destinations.length, 'destination', 'destinations');
  if (chosen.length === 0) return `To ${places}`;
  const also = destinations.length === 0 ? '' : ` and ${places}`;
  if (ended.length === 0) return `To ${people}${also}`;
  return `To ${people}, of whom ${ended.length} ${ended.length === 1 ? 'has' : 'have'} ended its mails${also && `,${also}`}`;
}

/** To how many people a report was mailed; a dash while it waits and no one has got it. Pure. */
export const mailsText = ({ status, mailed }: Pick<ReportRun, 'status' | 'mailed'>): string =>
  status === 'waiting' && mailed === 0 ? '–' : formatNumber(mailed);

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** The days of a report that was sent, in words. */
export function daysOf({ start_date: start, end_date: end }: ReportRun): string {
  return start === end ? formatDay(start) : `${formatDay(start)} – ${formatDay(end)}`;
}
