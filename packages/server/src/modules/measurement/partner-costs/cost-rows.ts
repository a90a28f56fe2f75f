import type { Micros } from '@bidwell/contract/lib/money';
import { truncate } from '@bidwell/contract/lib/truncate';
import { shortIdOf, siteIdOf } from '../../../platform/partner-ids.ts';
import { createHash } from 'node:crypto';

/** Costs of a campaign, ad set, creative, country and publisher; '' for what a part does not tell apart. */
export interface CostPart {
  campaign: string;
  adset: string;
  creative: string;
  country: string;
  bundle: string;
  micros: Micros;
}

/** A row of an upload, as InCost of AppsFlyer takes it. */
export interface CostUploadRow {
  date: string;
  app_id: string;
  media_source: string;
  campaign_id: string;
  campaign_name: string;
  adset_id?: string;
  adset_name?: string;
  ad_id?: string;
  ad_name?: string;
  site_id?: string;
  geo?: string;
  currency: 'USD';
  /** Dollars in five decimal places. */
  spend: number;
}

/** The rows of an upload and their sums. */
export interface CostUploadContent {
  rows: CostUploadRow[];
  /** The costs as they are here. */
  spendMicros: Micros;
  /** The costs in the partner's decimal places: up to 9 micros less. */
  sentMicros: Micros;
  /** Of all rows: the same content has the same. */
  digest: string;
}

/** What the rows of an upload have in common, and the names of what they are about. */
export interface CostUploadHead {
  day: string;
  appId: string;
  mediaSource: string;
  nameOf: (level: 'campaign' | 'adset' | 'creative', id: string) => string;
}

/** AppsFlyer takes five decimal places of dollars: ten micros. */
const UNIT_MICROS = 10;
const UNITS_IN_DOLLAR = 100_000;
const NAME_CHARACTERS_MAX = 100;
/** An upload has at most 1 MB. */
const BYTES_MAX = 1_000_000;
/** Of the number that takes the place of 0. */
const SPEND_BYTES = 16;

/** Parts with fewer and fewer keys, for days that do not fit otherwise. */
const COARSER: readonly (readonly (keyof Omit<CostPart, 'micros' | 'bundle'>)[])[] = [
  [],
  ['country'],
  ['country', 'creative'],
  ['country', 'creative', 'adset'],
];

/**
 * The rows of an upload. It has the whole day: `parts` without publishers say how much was spent, and `ofBundles`, the most first, how much of
 * it at a publisher, as far as that fits in `bytesMax`. Rows of `before` that do not exist any more follow with 0. The sum of the rows is the sum
 * of the parts, rounded down once to the decimal places of the partner. Undefined for a day that fits in no way. Pure.
 */
export function costUploadOf(
  {
    parts,
    ofBundles,
    before,
  }: {
    parts: readonly CostPart[];
    ofBundles: readonly CostPart[];
    before: readonly CostUploadRow[];
  },
  head: CostUploadHead,
  bytesMax = BYTES_MAX,
): CostUploadContent | undefined {
  const room = bytesMax - sum(before.map(bytesOf));
  for (const dropped of COARSER) {
    const coarse = merged(parts.map((part) => without(part, dropped)));
    const left = room - sum(coarse.map((part) => bytesOf(rowOf(part, 0, head))));
    if (left < 0) continue;
    return contentOf(split(coarse, dropped.length === 0 ? ofBundles : [], { left, head }), before, head);
  }
  return undefined;
}

/** Takes the costs at publishers out of the parts that they belong to, until `left` bytes are used up. */
function split(
  parts: readonly CostPart[],
  ofBundles: readonly CostPart[],
  { left, head }: { left: number; head: CostUploadHead },
): CostPart[] {
  const rest = new Map(parts.map((part) => [keyOf(part), { ...part }]));
  const taken: CostPart[] = [];
  let free = left;
  for (const part of ofBundles) {
    const whole = rest.get(keyOf({ ...part, bundle: '' }));
    // Spend that was counted between the two queries is in the next upload.
    if (!whole || part.bundle === '' || part.micros <= 0 || part.micros > whole.micros) continue;
    free -= bytesOf(rowOf(part, 0, head));
    if (free < 0) break;
    whole.micros -= part.micros;
    taken.push(part);
  }
  return merged([...taken, ...rest.values()].filter(({ micros }) => micros > 0));
}

function contentOf(
  parts: readonly CostPart[],
  before: readonly CostUploadRow[],
  head: CostUploadHead,
): CostUploadContent {
  const units = inUnits(
    parts.map(({ micros }) => micros),
    UNIT_MICROS,
  );
  const now = parts.map((part, index) => rowOf(part, units[index]! / UNITS_IN_DOLLAR, head));
  const known = new Set(now.map(rowKeyOf));
  const gone = before.filter((row) => !known.has(rowKeyOf(row))).map((row) => ({ ...row, spend: 0 }));
  const rows = [...now, ...gone].toSorted((a, b) => (rowKeyOf(a) < rowKeyOf(b) ? -1 : 1));
  return {
    rows,
    spendMicros: sum(parts.map(({ micros }) => micros)),
    sentMicros: sum(units) * UNIT_MICROS,
    digest: createHash('sha256').update(JSON.stringify(rows)).digest('base64url'),
  };
}

/**
 * Amounts in whole units: their sum is the sum of the amounts rounded down to a unit once, and each differs from its amount by less than a unit.
 * Pure.
 */
export function inUnits(amounts: readonly Micros[], unit: number): number[] {
  const units = amounts.map((amount) => Math.floor(amount / unit));
  const missing = Math.floor(sum(amounts) / unit) - sum(units);
  const byRemainder = amounts
    .map((amount, index) => ({ index, remainder: amount % unit }))
    .toSorted((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder.slice(0, missing)) units[index]! += 1;
  return units;
}

function rowOf(part: CostPart, spend: number, head: CostUploadHead): CostUploadRow {
  const named = (level: 'campaign' | 'adset' | 'creative', id: string) =>
    shortName(head.nameOf(level, id), id);
  return {
    date: head.day,
    app_id: head.appId,
    media_source: head.mediaSource,
    campaign_id: shortIdOf(part.campaign),
    campaign_name: named('campaign', part.campaign),
    ...(part.adset && { adset_id: shortIdOf(part.adset), adset_name: named('adset', part.adset) }),
    ...(part.creative && { ad_id: shortIdOf(part.creative), ad_name: named('creative', part.creative) }),
    ...(part.bundle && { site_id: siteIdOf(part.bundle) }),
    ...(/^[A-Z]{2}$/.test(part.country) && { geo: part.country }),
    currency: 'USD',
    spend,
  };
}

const shortName = (name: string, id: string) => truncate(name || id, NAME_CHARACTERS_MAX);

/** The fields by which a partner tells rows of a day apart. */
const rowKeyOf = ({ campaign_id, adset_id = '', ad_id = '', geo = '', site_id = '' }: CostUploadRow) =>
  [campaign_id, adset_id, ad_id, geo, site_id].join(' ');

const bytesOf = (row: CostUploadRow) => Buffer.byteLength(JSON.stringify(row)) + SPEND_BYTES;

const keyOf = ({ campaign, adset, creative, country, bundle }: CostPart) =>
  [campaign, adset, creative, country, bundle].join(' ');

const without = (part: CostPart, keys: readonly (keyof CostPart)[]): CostPart => ({
  ...part,
  ...Object.fromEntries(keys.map((key) => [key, ''])),
});

/** Parts with the same keys as one. */
function merged(parts: readonly CostPart[]): CostPart[] {
  const sums = new Map<string, CostPart>();
  for (const part of parts) {
    const known = sums.get(keyOf(part));
    if (known) known.micros += part.micros;
    else sums.set(keyOf(part), { ...part });
  }
  return [...sums.values()];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
