import type { Counts } from '@bidwell/contract/reports/metrics';

/** Counts of a period and, in a comparison, of the period before. */
export type Figures = Counts & { before?: Counts | undefined };

export const zeroCounts: Readonly<Counts> = { clicks: 0, installs: 0, impressions: 0, spendMicros: 0 };

/** Zero counts, to be added to by {@link addTo}. */
export function newSum(): Figures {
  return {
    clicks: 0,
    installs: 0,
    impressions: 0,
    spendMicros: 0,
    wins: 0,
    losses: 0,
    invalidClicks: 0,
    invalidInstalls: 0,
    before: undefined,
  };
}

/**
 * Adds `figures` to `sum` in place. Copying would be slow: a report of ten thousand rows calls this per row and
 * depth.
 */
export function addTo(sum: Figures, figures: Figures): void {
  addCountsTo(sum, figures);
  if (figures.before) addCountsTo((sum.before ??= { ...zeroCounts }), figures.before);
}

/** Sum of rows. Has `before` if any row has. */
export function sumOf(rows: Iterable<Figures>): Figures {
  const sum = newSum();
  for (const row of rows) addTo(sum, row);
  return sum;
}

/** Difference of `all` and `part`. */
export function remainderOf(all: Figures, part: Figures): Figures {
  return {
    ...differenceOf(all, part),
    ...(all.before && { before: differenceOf(all.before, part.before ?? zeroCounts) }),
  };
}

export function isZero({ before, ...counts }: Figures): boolean {
  return areCountsZero(counts) && (!before || areCountsZero(before));
}

function areCountsZero(counts: Counts): boolean {
  const { clicks, installs, impressions, spendMicros, wins, losses, invalidClicks, invalidInstalls } = counts;
  const valid = clicks || installs || impressions || spendMicros || wins || losses;
  return !valid && !invalidClicks && !invalidInstalls;
}

function addCountsTo(sum: Counts, counts: Counts): void {
  sum.clicks += counts.clicks;
  sum.installs += counts.installs;
  sum.impressions += counts.impressions;
  sum.spendMicros += counts.spendMicros;
  sum.wins = (sum.wins ?? 0) + (counts.wins ?? 0);
  sum.losses = (sum.losses ?? 0) + (counts.losses ?? 0);
  sum.invalidClicks = (sum.invalidClicks ?? 0) + (counts.invalidClicks ?? 0);
  sum.invalidInstalls = (sum.invalidInstalls ?? 0) + (counts.invalidInstalls ?? 0);
}

function differenceOf(all: Counts, part: Counts): Counts {
  return {
    clicks: all.clicks - part.clicks,
    installs: all.installs - part.installs,
    impressions: all.impressions - part.impressions,
    spendMicros: all.spendMicros - part.spendMicros,
    wins: (all.wins ?? 0) - (part.wins ?? 0),
    losses: (all.losses ?? 0) - (part.losses ?? 0),
    invalidClicks: (all.invalidClicks ?? 0) - (part.invalidClicks ?? 0),
    invalidInstalls: (all.invalidInstalls ?? 0) - (part.invalidInstalls ?? 0),
  };
}
