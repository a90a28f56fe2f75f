import {
  BEST_FROM,
  COMPARED_MAX,
  type CampaignCreatives,
  type ComparedCreative,
  type CreativeComparison,
  type CreativesQuery,
  DAYS_LEFT_MAX,
  type Verdict,
} from '@bidwell/contract/campaign-reports/creatives';
import type { CreativeType } from '@bidwell/contract/creatives/schema';
import type { Counts } from '@bidwell/contract/reports/metrics';
import { toDollars } from '@bidwell/contract/lib/money';
import { rateOf } from '@bidwell/contract/lib/rate';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { runYielding } from '../../../platform/concurrency/yielding.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { campaignOf } from '../../campaigns/public.ts';
import { type RunningTrials, bestProbabilities, daysUntilBest } from './best-creative.ts';
import { type CountsRow, countForReport, namesOf, periodOf, rangeOf } from '../../reporting/public.ts';

const DAY_MS = 86_400_000;
/** Creatives of a report, those with the highest spend. */
const CREATIVES_MAX = 1000;

/** Counts of a creative, and its impressions in the last 24 hours. */
interface Counted {
  uuid: string;
  counts: Counts;
  perDay: number;
}

/**
 * Compares the creatives of a campaign by a metric, with the counts of a range of days. Throws NotFound; Invalid for dates that
 * are not supported.
 */
export async function campaignCreatives(
  ctx: Context,
  actor: Actor,
  { uuid, metric, ...query }: CreativesQuery & { uuid: string },
): Promise<CampaignCreatives> {
  requirePermission(actor, 'report.read');
  const { companyId } = actor;
  await campaignOf(ctx, actor, uuid);
  const period = periodOf(await rangeOf(ctx, actor, query));
  const nowMs = ctx.now().getTime();
  const filters = { campaign: [uuid] };
  const [rows, recent] = await Promise.all([
    countForReport(ctx, companyId, {
      period,
      by: ['creative', 'creative_type', 'format'],
      filters,
      limit: CREATIVES_MAX,
    }),
    countForReport(ctx, companyId, {
      period: { fromMs: nowMs - DAY_MS, beforeMs: nowMs },
      by: ['creative'],
      filters,
      limit: CREATIVES_MAX,
    }),
  ]);
  const perDay = new Map(recent.map(({ values, impressions }) => [values[0]!, impressions]));
  const uuids = new Set(rows.map(({ values }) => values[0]!));
  const names = (await namesOf(ctx.db, companyId, new Map([['creative', uuids]]))).get('creative');
  const comparisons: CreativeComparison[] = [];
  for (const { type, format, rows: own } of formatsOf(rows)) {
    const creatives = own.map(({ values, ...counts }): Counted => ({
      uuid: values[0]!,
      counts,
      perDay: perDay.get(values[0]!) ?? 0,
    }));
    comparisons.push({ type, format, ...(await compare(creatives, metric, names)) });
  }
  return { comparisons };
}

/** Creatives that are shown in the same places: banners of one size, or all creatives of another type. */
interface Format {
  type: CreativeType;
  format: string | null;
  rows: CountsRow[];
}

/** The formats, in the order of the highest spend of a creative. */
function formatsOf(rows: readonly CountsRow[]): Format[] {
  const formats = new Map<string, Format>();
  for (const row of rows) {
    const type = row.values[1] as CreativeType;
    const format = type === 'Banner' ? row.values[2]! : null;
    const key = `${type} ${format}`;
    const own = formats.get(key) ?? { type, format, rows: [] };
    formats.set(key, own);
    // A creative whose file was replaced by one of another length is the same.
    const before = own.rows.findIndex(({ values }) => values[0] === row.values[0]);
    if (before < 0) own.rows.push(row);
    else own.rows[before] = sumOf(own.rows[before]!, row);
  }
  return [...formats.values()];
}

function sumOf(one: CountsRow, other: CountsRow): CountsRow {
  return {
    ...one,
    clicks: one.clicks + other.clicks,
    installs: one.installs + other.installs,
    impressions: one.impressions + other.impressions,
    spendMicros: one.spendMicros + other.spendMicros,
  };
}

async function compare(
  all: readonly Counted[],
  metric: CreativesQuery['metric'],
  names: ReadonlyMap<string, string> | undefined,
): Promise<{ creatives: ComparedCreative[]; verdict: Verdict }> {
  const compared = all
    .filter(({ counts }) => counts.impressions > 0)
    .toSorted((a, b) => b.counts.impressions - a.counts.impressions)
    .slice(0, COMPARED_MAX);
  const trials = compared.map(({ counts, perDay }): RunningTrials => ({
    successes: metric === 'ctr' ? counts.clicks : counts.installs,
    trials: counts.impressions,
    perDay,
  }));
  const probabilities = await runYielding(bestProbabilities(trials));
  const best = new Map(compared.map(({ uuid }, index) => [uuid, probabilities?.[index] ?? null]));
  const creatives = all
    .map(({ uuid, counts }): ComparedCreative => {
      const { clicks, installs, impressions, spendMicros } = counts;
      const spends = toDollars(spendMicros);
      return {
        uuid,
        name: names?.get(uuid) ?? 'Unknown',
        impressions,
        clicks,
        installs,
        spends,
        cpi: installs > 0 ? spends / installs : null,
        ctr_rate: rateOf(clicks, impressions, 100),
        ipm_rate: rateOf(installs, impressions, 1000),
        best: best.get(uuid) ?? null,
      };
    })
    .toSorted((a, b) => rateIn(b, metric) - rateIn(a, metric) || b.impressions - a.impressions);
  return { creatives, verdict: await verdictOf(compared, trials, probabilities) };
}

function rateIn(creative: ComparedCreative, metric: CreativesQuery['metric']): number {
  return creative[metric === 'ctr' ? 'ctr_rate' : 'ipm_rate']?.value ?? -1;
}

async function verdictOf(
  compared: readonly Counted[],
  trials: readonly RunningTrials[],
  probabilities: readonly number[] | null,
): Promise<Verdict> {
  if (!probabilities) return { outcome: 'none' };
  const probability = Math.max(...probabilities);
  const leader = probabilities.indexOf(probability);
  const { uuid } = compared[leader]!;
  if (probability >= BEST_FROM) return { outcome: 'best', uuid, probability };
  const hasTraffic = trials.some(({ perDay }) => perDay > 0);
  return {
    outcome: 'not_enough',
    uuid,
    probability,
    days_left: hasTraffic ? await runYielding(daysUntilBest(trials, leader, BEST_FROM, DAYS_LEFT_MAX)) : null,
    has_traffic: hasTraffic,
  };
}
