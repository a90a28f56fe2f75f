import { reportApiMessages } from '@bidwell/contract/reports/api-messages';
import {
  type ExportQuery,
  LEVEL_PAGE_MAX,
  type LevelQuery,
  type LevelReport,
} from '@bidwell/contract/reports/schema';
import {
  APP_EVENT_METRICS,
  type ReportLevel,
  type ReportMetric,
  type TimeLevel,
} from '@bidwell/contract/reports/metrics';
import { selectedEvents, selectedMetrics } from '@bidwell/contract/reports/chosen-metrics';
import type { Context } from '../../context.ts';
import type { Actor } from '../../platform/actor.ts';
import { Invalid } from '../../platform/errors.ts';
import { runYielding } from '../../platform/concurrency/yielding.ts';
import { requirePermission } from '../../platform/permissions.ts';
import {
  BUCKETS_MAX,
  type DateRange,
  bucketsIn,
  isTimeLevel,
  periodBefore,
  periodOf,
  rangeBefore,
  withPreviousBuckets,
  rangeOf,
} from './buckets.ts';
import { eventLabels, readFilters } from './filters.ts';
import { type Figures, sumOf, zeroCounts } from './figures.ts';
import { nameValues } from './names.ts';
import type { CountsRow } from './query/counts-store.ts';
import type { Bucket, CountsQuery } from './query/query-model.ts';
import { RESPONSE_ROWS_MAX, ROWS_MAX, countForReport, reportTooLarge } from './report-limits.ts';
import { type TreeNode, levelRows, reportedMetrics, treeOfDepths, treeOfLeaves, valuesOf } from './tree.ts';

/**
 * Builds a tree of rows with one depth for each key of `levels`, in their order, filtered by the values of the keys.
 * Without pages, the rows of each depth add up to their parent and to the total: a row Other holds what `top` or the
 * row limit leaves out. Throws Invalid for wrong filters, too many buckets, and a report that exceeds the limits.
 */
export async function levelReport(ctx: Context, actor: Actor, query: LevelQuery): Promise<LevelReport> {
  requirePermission(actor, 'report.read');
  const range = await rangeOf(ctx, actor, query);
  const levels = Object.keys(query.levels) as ReportLevel[];
  const chosen = { metrics: selectedMetrics(query.metrics), eventNames: selectedEvents(query.event_names) };
  const countsQuery = countsQueryOf(range, levels, query, ctx.now().getTime());
  const read = (more: Partial<CountsQuery>): Promise<CountsRow[]> =>
    countForReport(ctx, actor.companyId, { ...countsQuery, ...more });
  const totalOf = async () => (await read({ by: [] }))[0] ?? zeroCounts;
  const paged = query.page || query.limit ? await pageOf(query, countsQuery, read) : null;

  const { tree, total } =
    paged?.rows.length === 0
      ? { tree: await runYielding(treeOfDepths([], zeroCounts)), total: await totalOf() }
      : await buildTree(levels.length, {
          read: (more) =>
            read({ ...more, ...(paged && { firstValues: paged.rows.map(({ values }) => values[0]!) }) }),
          by: countsQuery.by,
          hasSums: !countsQuery.eventNames || !levels.some(isTimeLevel),
          top: query.top ?? undefined,
          first: paged?.rows,
          totalOf,
        });
  const nameOf = await nameValues(
    ctx,
    actor.companyId,
    levels,
    valuesOf(tree, levels.length),
    range.timeZone,
  );
  const labels = await eventLabels(ctx.db, actor.companyId, chosen.eventNames, countsQuery.filters);
  return {
    rows: await runYielding(levelRows(tree, { levels, ...chosen, nameOf })),
    total: reportedMetrics(total, chosen),
    ...(labels.length > 0 && { event_labels: labels }),
    ...(paged && { rows_total: paged.rowsTotal }),
  };
}

/** Metrics for which {@link CountsQuery} has to be `extended`. */
const extendedMetrics: ReadonlySet<ReportMetric> = new Set([
  'win_rate',
  'invalid_clicks',
  'invalid_installs',
]);

const appEventMetrics: ReadonlySet<ReportMetric> = new Set(APP_EVENT_METRICS);

/** The counts that a report's figures need. */
export function countedFor({
  metrics,
  event_names: names,
}: Pick<ExportQuery, 'metrics' | 'event_names'>): Pick<CountsQuery, 'extended' | 'rated' | 'eventNames'> {
  const eventNames = selectedEvents(names);
  const hasAppEvents = eventNames.length > 0 || metrics?.some((metric) => appEventMetrics.has(metric));
  return {
    extended: metrics?.some((metric) => extendedMetrics.has(metric)) ?? false,
    rated: metrics?.includes('win_rate') ?? false,
    ...(hasAppEvents && { eventNames }),
  };
}

/** Query behind a level report or its export at `nowMs`. Throws Invalid. */
export function countsQueryOf(
  range: DateRange,
  levels: readonly ReportLevel[],
  query: ExportQuery & Pick<LevelQuery, 'compare'>,
  nowMs: number,
): CountsQuery {
  const filters = readFilters(query.levels, query.filters ?? {});
  const earlier = query.compare ? rangeBefore(range) : undefined;
  return {
    period: periodOf(range),
    before: earlier && periodBefore(range, nowMs),
    by: levels.map((level) => (isTimeLevel(level) ? levelBuckets(level, range, earlier) : level)),
    filters,
    campaignKind: query.campaign_kind ?? undefined,
    ...countedFor(query),
  };
}

function levelBuckets(level: TimeLevel, range: DateRange, earlier: DateRange | undefined): readonly Bucket[] {
  const buckets = bucketsIn(range, level);
  const before = earlier ? bucketsIn(earlier, level) : [];
  if (buckets && before) return withPreviousBuckets(buckets, before);
  const message = reportApiMessages.rangeMax(BUCKETS_MAX, level);
  throw new Invalid([{ field: 'end_date', message }]);
}

type CountRows = (more: Partial<CountsQuery>) => Promise<CountsRow[]>;

/** Rows of the first level on one page, and how many rows all pages have. */
async function pageOf(
  { page, limit }: LevelQuery,
  { by }: CountsQuery,
  read: CountRows,
): Promise<{ rows: CountsRow[]; rowsTotal: number }> {
  const size = limit ?? LEVEL_PAGE_MAX;
  const offset = ((page ?? 1) - 1) * size;
  const rows = await read({ by: by.slice(0, 1), limit: size, offset, counted: true });
  if (rows.length > 0 || offset === 0) return { rows, rowsTotal: rows[0]?.rowsTotal ?? 0 };
  const [first] = await read({ by: by.slice(0, 1), limit: 1, counted: true });
  return { rows, rowsTotal: first?.rowsTotal ?? 0 };
}

/**
 * Builds the tree from counts at the deepest level if these are few enough, otherwise from one query per depth. With
 * `first`, the tree has the rows of that page only, and no row Other for the rows of other pages.
 */
async function buildTree(
  levels: number,
  {
    read,
    by,
    hasSums,
    top,
    first,
    totalOf,
  }: {
    read: CountRows;
    by: CountsQuery['by'];
    /** Whether a row is the sum of the rows under it; otherwise each depth has to be counted. */
    hasSums: boolean;
    top: number | undefined;
    first: CountsRow[] | undefined;
    totalOf: () => Promise<Figures>;
  },
): Promise<{ tree: TreeNode; total: Figures }> {
  if (top === undefined && hasSums) {
    const leaves = first && levels === 1 ? first : await read({ limit: ROWS_MAX + 1 });
    if (leaves.length <= ROWS_MAX) {
      const tree = await runYielding(treeOfLeaves(leaves));
      if (rowsIn(tree) > RESPONSE_ROWS_MAX) throw reportTooLarge();
      return { tree, total: first ? await totalOf() : tree.figures };
    }
  }
  const depths: CountsRow[][] = [];
  let rows = 0;
  for (let depth = 0; depth < levels; depth += 1) {
    const ofDepth: CountsRow[] =
      depth === 0 && first ? first : await read({ by: by.slice(0, depth + 1), limit: ROWS_MAX, top });
    rows += ofDepth.length;
    if (rows > RESPONSE_ROWS_MAX) throw reportTooLarge();
    depths.push(ofDepth);
  }
  const total = await totalOf();
  return { tree: await runYielding(treeOfDepths(depths, first ? sumOf(first) : total)), total };
}

function rowsIn({ children }: TreeNode): number {
  let rows = children.size;
  for (const child of children.values()) if (child.children.size > 0) rows += rowsIn(child);
  return rows;
}
