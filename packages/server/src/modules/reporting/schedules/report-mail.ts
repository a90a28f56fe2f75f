import { dayText } from '@bidwell/contract/lib/calendar';
import { dollarsText, numberText } from '@bidwell/contract/lib/number-text';
import { METRIC_HEADS } from '@bidwell/contract/reports/metric-heads';
import type { Metrics, ReportMetric, ReportLevel } from '@bidwell/contract/reports/metrics';
import { escapedHtml, MAIL_FONT } from '../../../platform/mail/mail-page.ts';
import type { Mail, MailAttachment } from '../../../platform/mail/mailer.ts';
import { unlinked } from '../../../platform/mail/unlinked.ts';
import type { ReportPeriod } from './due-times.ts';
import { chosenMetricsOf, selectedMetrics } from '@bidwell/contract/reports/chosen-metrics';
import { type ExportQuery, OTHER } from '@bidwell/contract/reports/schema';
import { MICROS } from '@bidwell/contract/lib/money';
import type { Context } from '../../../context.ts';
import type { Owner } from '../../../platform/actor.ts';
import { bucketsIn, isTimeLevel, rangeOf } from '../buckets.ts';
import { isZero, remainderOf, sumOf, zeroCounts } from '../figures.ts';
import { countsQueryOf } from '../level-report.ts';
import { nameValues } from '../names.ts';
import type { CountsRow } from '../query/counts-store.ts';
import { countForReport, reportTooLarge } from '../report-limits.ts';

/** The common content of every mail of a scheduled report. */
export interface ReportMailHead {
  /** Name of the product. */
  product: string;
  name: string;
  companyName: string;
  period: ReportPeriod;
  /** The report in the console. */
  link: string;
  /** The page that ends these mails. */
  unsubscribeLink: string;
  /** The address that a mail program posts to for that, by RFC 8058. */
  unsubscribeAddress: string;
}

/** A mail without its receiver. */
export type ReportMailContent = Omit<Mail, 'to'>;

/** Id of the chart in its mail. */
const CHART_ID = 'spend@bidwell';
const CELL = 'padding:4px 10px;border-bottom:1px solid #8a919c';

/** The days of a report in words. Pure. */
export function daysText({ start, end }: ReportPeriod): string {
  return start === end ? dayText(start) : `${dayText(start)} – ${dayText(end)}`;
}

/** A mail with a file of a report. Pure. */
export function fileMail(
  head: ReportMailHead,
  { rows, file }: { rows: number; file: MailAttachment },
): ReportMailContent {
  const what = rows === 0 ? 'The report has no rows.' : `The file has ${numberText(rows, 0)} rows.`;
  return {
    subject: subjectOf(head),
    text: `${introOf(head)}\n${what}\n\n${lastOf(head)}\n`,
    html: htmlOf(head, [`<p>${what}</p>`]),
    attachments: [file],
    headers: headersOf(head),
  };
}

/** A mail that shows a report: its spend over time as a picture, and a table. Pure. */
export function tableMail(head: ReportMailHead, summary: ReportSummary, chart: Buffer): ReportMailContent {
  const { metrics, rows, total, spend } = summary;
  const lines = [...rows, { name: 'Total', figures: total }].map(({ name, figures }) => [
    unlinked(name),
    ...metrics.map((metric) => figureText(metric, figures)),
  ]);
  const heads = ['', ...metrics.map((metric) => headOf(metric).name)];
  return {
    subject: subjectOf(head),
    text: [introOf(head), ...lines.map((cells) => textOf(heads, cells)), lastOf(head)].join('\n\n'),
    html: htmlOf(head, [chartHtml(spend, head.period), tableHtml(heads, lines)]),
    attachments: [{ filename: 'spend.png', content: chart, contentType: 'image/png', cid: CHART_ID }],
    headers: headersOf(head),
  };
}

/** The HTML of a mail: the report's name and period, the parts, and how to unsubscribe. */
function htmlOf(head: ReportMailHead, parts: readonly string[]): string {
  return [
    `<h1 style="margin:0;font-size:20px">${escapedHtml(unlinked(head.name))}</h1>`,
    `<p style="margin:4px 0 16px">${escapedHtml(`${unlinked(head.companyName)}, ${daysText(head.period)}`)}</p>`,
    ...parts,
    lastHtml(head),
  ].join('\n');
}

const WIDTH = 640;
const HEIGHT = 160;

/** Size of a chart, in pixels. */
const CHART_SIZE = { width: WIDTH, height: HEIGHT } as const;

/** The picture of spend, with the dates of its first and last bar below, since the picture has no text. */
function chartHtml({ unit, values }: ReportSummary['spend'], { start, end }: ReportPeriod): string {
  const { width, height } = CHART_SIZE;
  const caption = `Spend by ${unit}. The highest is ${dollarsText(Math.max(...values, 0))}.`;
  const [first, last] = unit === 'hour' ? ['00:00', '24:00'] : [dayText(start), dayText(end)];
  return [
    `<img src="cid:${CHART_ID}" width="${width}" height="${height}" alt="${caption}" style="display:block;max-width:100%;height:auto">`,
    `<table cellspacing="0" width="${width}" style="max-width:100%;${MAIL_FONT};font-size:12px"><tr><td align="left">${first}</td><td align="right">${last}</td></tr></table>`,
    `<p style="margin:4px 0 16px">${caption}</p>`,
  ].join('\n');
}

function textOf(heads: readonly string[], [name = '', ...figures]: readonly string[]): string {
  return [name, ...figures.map((figure, index) => `  ${heads[index + 1]}: ${figure}`)].join('\n');
}

function tableHtml(heads: readonly string[], lines: readonly string[][]): string {
  const row = (tag: 'td' | 'th', cells: readonly string[]) =>
    `<tr>${cells.map((cell, index) => `<${tag} align="${index === 0 ? 'left' : 'right'}" style="${CELL}">${escapedHtml(cell)}</${tag}>`).join('')}</tr>`;
  // The first line names the columns, the last one is the total.
  const rows = [
    row('th', heads),
    ...lines.slice(0, -1).map((cells) => row('td', cells)),
    ...lines.slice(-1).map((cells) => row('th', cells)),
  ].join('');
  const table = `<table cellspacing="0" style="${MAIL_FONT};font-size:14px;border-collapse:collapse">${rows}</table>`;
  return `<div style="overflow-x:auto;overflow-wrap:normal">${table}</div>`;
}

/** The name of a metric, and its unit, which stands next to each figure. */
function headOf(metric: ReportMetric): { name: string; unit: string } {
  const [name = '', unit = ''] = METRIC_HEADS[metric].split(', ');
  return { name, unit };
}

/** A figure with its unit and the digits that it has; a dash for one that is not known. */
function figureText(metric: ReportMetric, figures: Partial<Metrics>): string {
  const value = figures[metric] ?? null;
  if (value === null) return '–';
  const { unit } = headOf(metric);
  if (unit === '$') return dollarsText(value);
  return unit === '%' ? `${numberText(value, 2)}%` : numberText(value, metric === 'ipm' ? 2 : 0);
}

/** Without names: anyone may call a report anything. */
const subjectOf = ({ product, period }: ReportMailHead): string =>
  `${product}: scheduled report, ${daysText(period)}`;

const introOf = ({ name, companyName, period }: ReportMailHead): string =>
  `“${unlinked(name)}” of ${unlinked(companyName)}, ${daysText(period)}.`;

const WHY =
  'Someone in your company chose you as a reader. Owners and editors change that on the page Reports, Scheduled.';

const lastOf = ({ link, unsubscribeLink }: ReportMailHead): string =>
  `In the console: ${link}\n${WHY}\nEnd these mails: ${unsubscribeLink}`;

const lastHtml = ({ link, unsubscribeLink }: ReportMailHead): string =>
  `<p><a href="${escapedHtml(link)}">Open it in the console</a>. ${WHY} <a href="${unsubscribeLink}">End these mails</a>.</p>`;

const headersOf = ({ unsubscribeAddress }: ReportMailHead): Record<string, string> => ({
  'List-Unsubscribe': `<${unsubscribeAddress}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  'Auto-Submitted': 'auto-generated',
});

/** The summary of a report. Money is in dollars. */
interface ReportSummary {
  level: ReportLevel;
  metrics: readonly ReportMetric[];
  /** The rows of the first level with the highest spend; the rest of the total is the last one, Other. */
  rows: { name: string; figures: Partial<Metrics> }[];
  total: Partial<Metrics>;
  /** Spend of each hour of one day, or of each day of a longer period, in order. */
  spend: { unit: 'hour' | 'day'; values: number[] };
}

/** Sums a level report up: its first level, at most `rowsMax` rows, and its spend over time. Throws Invalid. */
export async function summarizeReport(
  ctx: Context,
  owner: Owner,
  query: ExportQuery,
  rowsMax: number,
): Promise<ReportSummary> {
  const { companyId } = owner;
  const range = await rangeOf(ctx, owner, query);
  const levels = Object.keys(query.levels) as ReportLevel[];
  const level = levels[0]!;
  const metrics = selectedMetrics(query.metrics);
  const counted = countsQueryOf(range, levels, query, ctx.now().getTime());
  const found = await countForReport(ctx, companyId, {
    ...counted,
    by: counted.by.slice(0, 1),
    limit: rowsMax + 1,
  });
  const [total = zeroCounts] = await countForReport(ctx, companyId, { ...counted, by: [] });
  const shown = found.slice(0, rowsMax);
  if (isTimeLevel(level)) shown.sort((a, b) => (a.values[0]! < b.values[0]! ? -1 : 1));
  const values = new Set(shown.map((row) => row.values[0]!));
  const nameOf = await nameValues(ctx, companyId, [level], [values], range.timeZone);
  const rows = shown.map((row) => ({
    name: nameOf(level, row.values[0]!),
    figures: chosenMetricsOf(row, metrics),
  }));
  if (found.length > rowsMax) {
    const rest = remainderOf(total, sumOf(shown), { ofTimes: isTimeLevel(level) });
    if (!isZero(rest)) rows.push({ name: OTHER, figures: chosenMetricsOf(rest, metrics) });
  }
  const unit = range.start === range.end ? 'hour' : 'day';
  const buckets = bucketsIn(range, unit);
  if (!buckets) throw reportTooLarge();
  const { period, filters, campaignKind } = counted;
  const overTime = await countForReport(ctx, companyId, { period, filters, campaignKind, by: [buckets] });
  const spend = spendByValue(overTime);
  return {
    level,
    metrics,
    rows,
    total: chosenMetricsOf(total, metrics),
    spend: { unit, values: buckets.map(({ value }) => spend.get(value) ?? 0) },
  };
}

function spendByValue(rows: readonly CountsRow[]): Map<string, number> {
  return new Map(rows.map(({ values, spendMicros }) => [values[0]!, spendMicros / MICROS]));
}

/** Share of a bar's place that is empty. */
const GAP = 0.25;

/** Least height of a bar that is not 0. */
const BAR_MIN = 2;
const BAR_COLOR = '#2f6fed';
const LINE_COLOR = '#8a919c';

/**
 * Bars of values that are not negative, as SVG without any text, since servers may have no fonts: the mail says in words what they
 * are of. Without a background, for mails that are read light or dark. Pure.
 */
export function barChart(values: readonly number[]): string {
  const highest = Math.max(...values, 0);
  const step = WIDTH / Math.max(values.length, 1);
  const bars = values.map((value, index) => {
    if (value <= 0) return '';
    const height = Math.max(BAR_MIN, (value / highest) * (HEIGHT - 4));
    const x = (index * step + (step * GAP) / 2).toFixed(2);
    const y = (HEIGHT - 1 - height).toFixed(2);
    return `<rect x="${x}" y="${y}" width="${(step * (1 - GAP)).toFixed(2)}" height="${height.toFixed(2)}" fill="${BAR_COLOR}"/>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">`,
    ...bars,
    `<rect y="${HEIGHT - 1}" width="${WIDTH}" height="1" fill="${LINE_COLOR}"/>`,
    '</svg>',
  ].join('');
}
