import type { AppEventCounts, Counts, ReEngagementCounts } from '@bidwell/contract/reports/metrics';

/** Counts of a period and, in a comparison, of the period before. */
export type Figures = Counts & { before?: Counts | undefined };

export const zeroCounts: Readonly<Counts> = { clicks: 0, installs: 0, impressions: 0, spendMicros: 0 };

/** Zero counts, to which {@link addTo} adds. */
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
    appEvents: undefined,
    reEngagement: undefined,
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

/**
 * Difference of `all` and `part`. For rows of times, which have people in common, the people of the difference are not
 * known.
 */
export function remainderOf(all: Figures, part: Figures, { ofTimes = false } = {}): Figures {
  const difference = (whole: Counts, some: Counts) => ({
    ...differenceOf(whole, some),
    appEvents: whole.appEvents && appEventsBeyond(whole.appEvents, some.appEvents, ofTimes),
    reEngagement: reEngagementOf(whole.reEngagement, some.reEngagement, (a, b) => a - b),
  });
  return {
    ...difference(all, part),
    ...(all.before && { before: difference(all.before, part.before ?? zeroCounts) }),
  };
}

export function isZero({ before, ...counts }: Figures): boolean {
  return areCountsZero(counts) && (!before || areCountsZero(before));
}

function areCountsZero(counts: Counts): boolean {
  const { clicks, installs, impressions, spendMicros, wins, losses, invalidClicks, invalidInstalls } = counts;
  const valid = clicks || installs || impressions || spendMicros || wins || losses;
  return (
    !valid &&
    !invalidClicks &&
    !invalidInstalls &&
    !hasAppEvents(counts.appEvents) &&
    !hasReturns(counts.reEngagement)
  );
}

function hasAppEvents(counts: AppEventCounts | undefined): boolean {
  // People are left out: a person may be in several periods, so they do not add up.
  return Boolean(counts && (counts.events || counts.revenueMicros));
}

/** Impressions, clicks and spend are among the other counts. */
function hasReturns(counts: ReEngagementCounts | undefined): boolean {
  return Boolean(
    counts && (counts.reattributions || counts.reinstalls || counts.events || counts.revenueMicros),
  );
}

function reEngagementOf(
  one: ReEngagementCounts | undefined,
  other: ReEngagementCounts | undefined,
  of: (a: number, b: number) => number,
): ReEngagementCounts | undefined {
  if (!one && !other) return undefined;
  const with0 = (name: Exclude<keyof ReEngagementCounts, 'named'>) =>
    of(one?.[name] ?? 0, other?.[name] ?? 0);
  const names = (one ?? other)!.named;
  return {
    impressions: with0('impressions'),
    clicks: with0('clicks'),
    spendMicros: with0('spendMicros'),
    reattributions: with0('reattributions'),
    reinstalls: with0('reinstalls'),
    events: with0('events'),
    revenueMicros: with0('revenueMicros'),
    knownRevenues: with0('knownRevenues'),
    unknownRevenues: with0('unknownRevenues'),
    named: names.map((_, index) => of(one?.named[index] ?? 0, other?.named[index] ?? 0)),
  };
}

function appEventsOf(
  one: AppEventCounts,
  other: AppEventCounts | undefined,
  of: (a: number, b: number) => number,
  ofPeople: (a: number | null, b: number | null) => number | null,
): AppEventCounts {
  return {
    events: of(one.events, other?.events ?? 0),
    payers: ofPeople(one.payers, other ? other.payers : 0),
    revenueMicros: of(one.revenueMicros, other?.revenueMicros ?? 0),
    knownRevenues: of(one.knownRevenues, other?.knownRevenues ?? 0),
    unknownRevenues: of(one.unknownRevenues, other?.unknownRevenues ?? 0),
    named: one.named.map(({ count, people }, index) => {
      const same = other?.named[index];
      return { count: of(count, same?.count ?? 0), people: ofPeople(people, same ? same.people : 0) };
    }),
  };
}

/** Sum of rows of different entities, which have no person in common. */
function sumOfAppEvents(one: AppEventCounts, other: AppEventCounts): AppEventCounts {
  const add = (a: number, b: number) => a + b;
  return appEventsOf(one, other, add, (a, b) => (a === null || b === null ? null : a + b));
}

function appEventsBeyond(
  all: AppEventCounts,
  part: AppEventCounts | undefined,
  ofTimes: boolean,
): AppEventCounts {
  const subtract = (a: number, b: number) => a - b;
  const ofPeople = (a: number | null, b: number | null) =>
    ofTimes || a === null || b === null ? null : a - b;
  return appEventsOf(all, part, subtract, ofPeople);
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
  if (counts.reEngagement)
    sum.reEngagement = reEngagementOf(sum.reEngagement, counts.reEngagement, (a, b) => a + b);
  if (counts.appEvents)
    sum.appEvents = sum.appEvents ? sumOfAppEvents(sum.appEvents, counts.appEvents) : counts.appEvents;
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
