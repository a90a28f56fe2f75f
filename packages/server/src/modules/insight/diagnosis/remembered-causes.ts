import { daysBetween } from '@bidwell/contract/lib/calendar';
import type { Context } from '../../../context.ts';
import { transact, type Db } from '../../../platform/postgres/transaction.ts';
import type { AdsetFacts, CampaignFacts, LossCause } from './facts.ts';
import { lossesOf } from './losses.ts';

/** Lengths of ranges, in days up to which they are remembered together. */
const SPANS = [1, 7, 14, 31] as const;
const LONGER = 366;

type ViewedRange = Pick<CampaignFacts, 'range' | 'today'>;

/**
 * The ad sets with the reasons that were findings of them when they were last diagnosed in a range of this length. A range
 * that has ended does not change any more, and has none.
 */
export async function withRememberedCauses(
  ctx: Context,
  campaigns: readonly CampaignFacts[],
): Promise<readonly CampaignFacts[]> {
  const [first] = campaigns;
  if (!first || !isOpen(first)) return campaigns;
  const uuids = campaigns.flatMap(({ adsets }) => adsets.map(({ uuid }) => uuid));
  const causes = await readCauses(ctx.db, uuids, spanOf(first));
  const remembered = campaigns.map((campaign) => ({
    ...campaign,
    adsets: campaign.adsets.map((adset) => ({ ...adset, before: causes.get(adset.uuid) ?? adset.before })),
  }));
  // The result of the read does not depend on it.
  await remember(ctx, remembered, first).catch((err: unknown) =>
    ctx.log.warn({ err }, 'the findings of ad sets are not remembered'),
  );
  return remembered;
}

/** Stores the reasons that are findings now, of the ad sets where they have changed. */
async function remember(
  ctx: Context,
  campaigns: readonly CampaignFacts[],
  viewed: ViewedRange,
): Promise<void> {
  const changed = new Map<string, readonly LossCause[]>();
  for (const adset of campaigns.flatMap(({ adsets }) => adsets)) {
    const causes = causesOf(adset);
    const isSame = causes.length === adset.before.size && causes.every((cause) => adset.before.has(cause));
    if (!isSame) changed.set(adset.uuid, causes);
  }
  if (changed.size > 0) await transact(ctx.db, (tx) => writeCauses(tx.db, changed, spanOf(viewed)));
}

function causesOf(adset: AdsetFacts): LossCause[] {
  return [...new Set(lossesOf(adset).map(({ cause }) => cause))].toSorted();
}

function isOpen({ range, today }: ViewedRange): boolean {
  return range.start <= today && today <= range.end;
}

function spanOf({ range }: ViewedRange): number {
  const days = daysBetween(range.start, range.end) + 1;
  return SPANS.find((span) => days <= span) ?? LONGER;
}

/** Reasons that were findings of ad sets, in ranges of a length. */
async function readCauses(
  db: Db,
  adsets: readonly string[],
  span: number,
): Promise<ReadonlyMap<string, ReadonlySet<LossCause>>> {
  if (adsets.length === 0) return new Map();
  const rows = await db
    .selectFrom('adset_findings')
    .select(['adset_uuid', 'causes'])
    .where('span', '=', span)
    .where('adset_uuid', 'in', adsets)
    .execute();
  return new Map(rows.map((row) => [row.adset_uuid, new Set(row.causes as LossCause[])]));
}

/** Stores the reasons that are findings of ad sets now; ad sets that were deleted meanwhile are left out. */
async function writeCauses(
  db: Db,
  causes: ReadonlyMap<string, readonly LossCause[]>,
  span: number,
): Promise<void> {
  if (causes.size === 0) return;
  const stored = await db
    .selectFrom('adsets')
    .select('uuid')
    .where('uuid', 'in', [...causes.keys()])
    .orderBy('uuid')
    .forKeyShare()
    .execute();
  if (stored.length === 0) return;
  await db
    .insertInto('adset_findings')
    .values(stored.map(({ uuid }) => ({ adset_uuid: uuid, span, causes: [...causes.get(uuid)!] })))
    .onConflict((conflict) =>
      conflict.columns(['adset_uuid', 'span']).doUpdateSet((row) => ({ causes: row.ref('excluded.causes') })),
    )
    .execute();
}
