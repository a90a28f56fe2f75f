import { type ConversionRule, ruleFor } from '@bidwell/contract/skadnetwork/conversion-values';
import { COARSE_VALUES } from '@bidwell/contract/skadnetwork/postbacks';
import { conversionWindowTexts } from '@bidwell/contract/text/skadnetwork-text';
import type { PostbackCounts, PostbackKey, PostbackRow } from '@bidwell/contract/skadnetwork/report';

/** What names of groups are read from. */
export interface GroupNames {
  apps: ReadonlyMap<string, string>;
  adsets: ReadonlyMap<string, string>;
  rulesOf: (appId: string, day: string) => readonly ConversionRule[];
  /** What is shown in place of the name of an app's in-app event. */
  eventOf: (appId: string, name: string) => string;
}

/** Names of values that say nothing by themselves. */
const NAMES: Partial<Record<PostbackKey, Readonly<Record<string, string>>>> = {
  framework: { skadnetwork: 'SKAdNetwork', adattributionkit: 'AdAttributionKit' },
  fidelity: { 0: 'View-through', 1: 'StoreKit-rendered or click' },
  window: Object.fromEntries(conversionWindowTexts.entries()),
  result: { won: 'Won', lost: 'Lost' },
  conversion_type: { download: 'Download', redownload: 'Redownload', 're-engagement': 'Re-engagement' },
};

/** Names of what a postback does not say. */
const MISSING: Partial<Record<PostbackKey, string>> = {
  adset: 'Unknown source identifier',
  app: 'Unknown app',
  value: 'No value',
};

type Group = PostbackRow['groups'][number];

/** The group of a key's value; that of a conversion value is of its window, app and day too. Pure. */
export function groupOf(
  key: PostbackKey,
  value: string | null,
  names: GroupNames,
  context: { window: string | null; appId: string | null; day: string | null } | null,
): Group {
  if (value === null) return { key: null, name: MISSING[key] ?? 'Not stated' };
  if (key === 'app') return { key: value, name: names.apps.get(value) ?? value };
  if (key === 'adset') return { key: value, name: names.adsets.get(value) ?? value };
  if (key === 'value' && context) return valueGroup(value, names, context);
  return { key: value, name: NAMES[key]?.[value] ?? value };
}

function valueGroup(
  value: string,
  { rulesOf, eventOf }: GroupNames,
  { window, appId, day }: { window: string | null; appId: string | null; day: string | null },
): Group {
  const coarse = COARSE_VALUES.find((one) => one === value) ?? null;
  const fine = coarse === null ? Number(value) : null;
  const rules = appId !== null && day !== null ? rulesOf(appId, day) : [];
  const rule = ruleFor(rules, { window: Number(window), fine, coarse });
  const meaning = rule && appId !== null ? meaningOf(rule, (event) => eventOf(appId, event)) : '';
  const name = coarse === null ? value : `${value[0]!.toUpperCase()}${value.slice(1)}`;
  return { key: value, name: meaning === '' ? name : `${name}: ${meaning}` };
}

function meaningOf(
  { event, revenue_from: low, revenue_to: high }: ConversionRule,
  shownAs: (event: string) => string,
): string {
  return [
    ...(event ? [shownAs(event)] : []),
    ...(low === null || high === null ? [] : [revenueText(low, high)]),
  ].join(', ');
}

/** A range of dollars: whole ones as they are, others with cents, and fractions of a cent in full. */
function revenueText(low: number, high: number): string {
  const isWhole = Number.isInteger(low) && Number.isInteger(high);
  const dollars = (amount: number) =>
    isWhole || Number(amount.toFixed(2)) !== amount ? `${amount}` : amount.toFixed(2);
  return low === high ? `$${dollars(low)}` : `$${dollars(low)}–${dollars(high)}`;
}

/** Rows whose groups are alike, as one row; in the order of the first of each. Pure. */
export function mergeRows(rows: readonly PostbackRow[]): PostbackRow[] {
  const merged = new Map<string, PostbackRow>();
  for (const row of rows) {
    const key = JSON.stringify(row.groups);
    const known = merged.get(key);
    merged.set(key, known ? { groups: row.groups, ...sumOf([known, row]) } : row);
  }
  return [...merged.values()];
}

/** The sum of counts. Pure. */
export function sumOf(counts: readonly PostbackCounts[]): PostbackCounts {
  const sum = (field: keyof PostbackCounts) => counts.reduce((total, each) => total + each[field], 0);
  return {
    postbacks: sum('postbacks'),
    won: sum('won'),
    lost: sum('lost'),
    downloads: sum('downloads'),
    redownloads: sum('redownloads'),
    re_engagements: sum('re_engagements'),
  };
}
