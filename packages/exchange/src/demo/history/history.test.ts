import { installEmptyEngines } from '@bidwell/testing/empty-engines';
import { readConfig } from '@bidwell/server/config/config';
import type { Context } from '@bidwell/server/context';
import { open } from '@bidwell/server/start/main';
import { reconcileLedger } from '@bidwell/server/modules/money/ledger-check';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DeliveryEvent } from '@bidwell/server/delivery/model/event';
import { impressionMicros } from '@bidwell/server/delivery/auction/price';
import { TOKEN_HOLDER } from '@bidwell/server/platform/operator';
import { seededRandom } from '../../random.ts';
import { COUNTRIES } from '../../traffic/countries.ts';
import { createTraffic } from '../../traffic/generate.ts';
import { ownersOf } from '../../traffic/people.ts';
import { readBidRequest } from '@bidwell/server/delivery/openrtb/read/read-request';
import { z } from 'zod';
import { ExchangeSummaries } from '@bidwell/contract/operator/exchange-health';
import { ModerationQueue } from '@bidwell/contract/moderation/schema';
import {
  ExchangeList,
  LedgerCheck,
  type OperatorCompany,
  TopUpItem,
} from '@bidwell/contract/operator/schema';
import { OperatorAccount, AuditEntry } from '@bidwell/contract/operator-accounts/schema';
import { exhaustive } from '@bidwell/testing/whole-run';
import { type Api, operatorApi } from '../api.ts';
import { COMPANIES } from '../companies.ts';
import { demoCompanies } from '../company.ts';
import { EXCHANGES, PEOPLE, REQUESTS_PER_SECOND, WORLD_SEED } from '../exchanges.ts';
import { type HistoryAdset, type HistoryCreative, timesOf } from './adsets.ts';
import { daysBefore } from './clock.ts';
import { createHistoryBidPrices } from './bid-prices.ts';
import { createHistory } from './generate.ts';
import { isReached, ownerFinder } from './owners.ts';
import { postbacksOf } from './postbacks.ts';
import { prepareDemo } from './prepare.ts';

const NOW_MS = Date.UTC(2026, 5, 17, 14, 30);
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const ownerOf = ownerFinder(WORLD_SEED);

/** Plan names take the place of ids. */
const adsets: HistoryAdset[] = COMPANIES.flatMap(({ user, apps, marginPercent }) =>
  apps.flatMap((app) =>
    app.campaigns.flatMap((campaign) =>
      campaign.adsets.map((plan) => ({
        companyId: user.login,
        appId: app.name,
        campaignId: campaign.name,
        adsetId: plan.name,
        trackingLinkId: `link of ${app.name}`,
        mmp: app.mmp,
        os: app.os,
        appName: app.name,
        model: app.model,
        plan,
        reEngages: campaign.reEngages ?? false,
        creatives: plan.groups.flatMap((name) => creativesOf(name, app.groups[name]!)),
        ...timesOf(app, campaign, plan, { nowMs: NOW_MS, marginPercent }),
      })),
    ),
  ),
);

type Group = (typeof COMPANIES)[number]['apps'][number]['groups'][string];

function creativesOf(
  creativeGroupId: string,
  { banners = [], palettes = 1, videos = [], native, playable }: Group,
): HistoryCreative[] {
  const creative = (type: HistoryCreative['type'], [width, height]: readonly [number, number]) => ({
    creativeId: `${creativeGroupId} ${type} ${width}x${height}`,
    creativeGroupId,
    type,
    width,
    height,
    durationMs: type === 'Video' ? 6000 : 0,
  });
  return [
    ...Array.from({ length: palettes }, (_, palette) =>
      banners.map((size) => ({
        ...creative('Banner', size),
        creativeId: `${creativeGroupId} ${palette} ${size.join('x')}`,
      })),
    ).flat(),
    ...videos.map((size) => creative('Video', size)),
    ...(native ? [creative('Native', [1200, 627])] : []),
    ...(playable ? [creative('Playable', [0, 0])] : []),
  ];
}

const historyOf = (seed: number, requestsPerSecond = 0.1, sampledPerHour = 300, of = adsets, worldSeed = 7) =>
  createHistory({
    adsets: of,
    random: seededRandom(seed),
    worldSeed,
    people: PEOPLE,
    exchanges: EXCHANGES,
    requestsPerSecond,
    nowMs: NOW_MS,
    sampledPerHour,
  });

const history = historyOf(7);
/** The ad sets with a part of their budgets, for as much of the traffic, or with a multiple. */
const withBudgets = (factor: number): HistoryAdset[] =>
  adsets.map((adset) => ({
    ...adset,
    pricesAt(atMs) {
      const prices = adset.pricesAt(atMs);
      return { ...prices, budgetMicros: prices.budgetMicros * factor };
    },
  }));

/** With more traffic, for events that were rare at its start, and budgets that are not used up. */
const busy = historyOf(7, 1.5, 300, withBudgets(10));
/** As the demo generates it, and with half of its traffic. */
const demo = historyOf(11, REQUESTS_PER_SECOND, 600, adsets, WORLD_SEED);
const half = historyOf(22, REQUESTS_PER_SECOND / 2, 600, withBudgets(1 / 2), WORLD_SEED);

/** Events of an hour. */
function hourOf(hourMs: number, of = history): DeliveryEvent[] {
  const events: DeliveryEvent[] = [];
  of.hour(hourMs, { bid() {}, event: (event) => void events.push(event) });
  return events;
}

/** Days of histories that a test has asked for: tests share them, as most of the time is spent generating them. */
const generated = new Map<typeof history, Map<number, DeliveryEvent[]>>();

/** Events of the day that is `daysAgo` days before the last. */
function day(daysAgo: number, of = history): DeliveryEvent[] {
  const days = generated.get(of) ?? new Map<number, DeliveryEvent[]>();
  generated.set(of, days);
  const fromMs = daysBefore(NOW_MS, daysAgo, 0);
  const hours = Array.from({ length: 24 }, (_, hour) => fromMs + hour * HOUR_MS);
  const events = days.get(daysAgo) ?? hours.flatMap((hourMs) => (hourMs < NOW_MS ? hourOf(hourMs, of) : []));
  days.set(daysAgo, events);
  return events;
}

const impressions = (events: ReturnType<typeof day>) => events.filter(({ kind }) => kind === 'impression');

test('the same seed yields the same history, another seed another one', () => {
  const events = (seed: number) => day(20, historyOf(seed, 0.02, 20));
  expect(events(3)).toEqual(events(3));
  expect(events(4)).not.toEqual(events(3));
});

test('a bid has one event of each kind, at most one charge, and an id of its time', () => {
  const events = day(5);
  const seen = new Set(events.map(({ kind, ref }) => `${ref.bidId} ${kind}`));
  expect(seen.size).toBe(events.length);
  for (const { kind, ref, atMs, spendMicros } of events) {
    const bidMs = Number.parseInt(ref.bidId.replace('-', '').slice(0, 12), 16);
    expect(atMs - bidMs).toBeGreaterThanOrEqual(0);
    expect(atMs - bidMs).toBeLessThan(HOUR_MS);
    // A second price without a floor and without rivals is zero.
    if (spendMicros > 0) expect(kind).toBe(ref.chargeOn);
    expect(spendMicros).toBeLessThanOrEqual(impressionMicros(ref.bidCpmMicros, ref.marginBasisPoints));
    expect(['ios', 'android']).toContain(ref.os);
  }
});

test('it grows, is busier at the weekend, and ends now', () => {
  const perDay = (daysAgo: number) => impressions(day(daysAgo, busy)).length;
  // The last day is a Wednesday: Saturday was four days before.
  const wednesdays = [7, 14, 77].map(perDay);
  expect(wednesdays[0]!).toBeGreaterThan(wednesdays[1]! * 1.05);
  expect(wednesdays[1]!).toBeGreaterThan(wednesdays[2]! * 1.15);
  expect(perDay(4)).toBeGreaterThan(perDay(5) * 1.05);
  expect(perDay(4)).toBeGreaterThan(perDay(7) * 1.2);
  for (const { atMs } of day(0)) expect(atMs).toBeLessThanOrEqual(NOW_MS);
});

test('it goes on while it is written, at the rate of its end', () => {
  const endMs = NOW_MS + 10 * 60_000;
  const times: number[] = [];
  busy.hour(
    NOW_MS,
    { bid() {}, noBid: (_reason, _exchange, atMs) => void times.push(atMs), event() {} },
    endMs,
  );
  const before: number[] = [];
  const hourMs = daysBefore(NOW_MS, 0, 14);
  busy.hour(hourMs, { bid() {}, noBid: (_reason, _exchange, atMs) => void before.push(atMs), event() {} });
  for (const atMs of times) expectWithin(atMs, [NOW_MS, endMs], 'time of a request without a bid');
  // The hour ended at its half.
  expectWithin(
    (3 * times.length) / before.length,
    [0.8, 1.25],
    'requests a minute compared with the time before',
  );
});

test('a pause is a gap, and a campaign without an approved creative has stopped', () => {
  const of = (name: string, daysAgo: number) =>
    impressions(day(daysAgo, busy)).filter(({ ref }) => ref.campaignId === name).length;
  expect(of('Basket Bloom everywhere', 45)).toBeGreaterThan(0);
  expect(of('Basket Bloom everywhere', 39)).toBe(0);
  expect(of('Basket Bloom everywhere', 30)).toBeGreaterThan(0);
  expect(of('Basket Bloom welcome offer', 20)).toBeGreaterThan(0);
  expect(of('Basket Bloom welcome offer', 8)).toBe(0);
  expect(of('Lumen Drift East Asia', 50)).toBe(0);
});

/** Installs after a click, or after a view alone. */
function installsAfter(events: readonly DeliveryEvent[], isClicked: boolean): number {
  const clicked = new Set(events.flatMap(({ kind, ref }) => (kind === 'click' ? [ref.bidId] : [])));
  return events.filter(({ kind, ref }) => kind === 'install' && clicked.has(ref.bidId) === isClicked).length;
}

/** Sums of the events of some ad sets. */
function figuresOf(events: readonly DeliveryEvent[]) {
  const count = (kind: string) => events.filter((event) => event.kind === kind).length;
  const wins = count('win');
  const dollars = events.reduce((sum, { spendMicros }) => sum + spendMicros, 0) / 1e6;
  return {
    dollars,
    installs: count('install'),
    cpi: dollars / count('install'),
    ctrPercent: (100 * count('click')) / count('impression'),
    ipm: (1000 * count('install')) / count('impression'),
    installsPerClickPercent: (100 * installsAfter(events, true)) / count('click'),
    winPercent: (100 * wins) / (wins + count('loss')),
  };
}

/** Expects a number between two others. */
function expectWithin(value: number, [from, to]: readonly [number, number], what: string): void {
  expect(value, what).toBeGreaterThanOrEqual(from);
  expect(value, what).toBeLessThanOrEqual(to);
}

test('at the rate of the demo a day looks like one of real in-app traffic', () => {
  const events = day(1, demo);
  const main = events.filter(({ ref }) => ref.companyId === COMPANIES[0]!.user.login);
  expectWithin(figuresOf(main).dollars, [150, 320], 'dollars of the main company');
  expectWithin(figuresOf(events).dollars, [200, 400], 'dollars');
  const yesterdayMs = daysBefore(NOW_MS, 1);
  for (const adset of adsets.filter(({ isRunning }) => isRunning(yesterdayMs))) {
    const of = figuresOf(events.filter(({ ref }) => ref.adsetId === adset.adsetId));
    const name = adset.adsetId;
    const usedPercent = (100 * of.dollars) / (adset.pricesAt(yesterdayMs).budgetMicros / 1e6);
    const isUnspent = adset.campaignId === 'Lumen Drift East Asia';
    expectWithin(usedPercent, isUnspent ? [20, 60] : [20, 101], `percent of the budget of ${name}`);
    // A few installs, and their clicks, say nothing.
    if (of.installs < 20) continue;
    expectWithin(of.ctrPercent, [0.3, 5], `clicks of ${name}`);
    expectWithin(of.winPercent, [10, 50], `win rate of ${name}`);
    expectWithin(of.cpi, [1.2, 6.5], `price of an install of ${name}`);
  }
  const { cpi, ctrPercent, winPercent, installsPerClickPercent } = figuresOf(events);
  expectWithin(installsPerClickPercent, [5, 25], 'installs per click');
  expect(installsAfter(events, false)).toBeGreaterThan(0);
  expectWithin(cpi, [2, 6], 'price of an install');
  expectWithin(ctrPercent, [0.6, 3.5], 'clicks');
  expectWithin(winPercent, [10, 45], 'win rate');
  expect(new Set(events.map(({ ref }) => ref.exchange)).size).toBe(EXCHANGES.length);
});

test('formats differ as they do in the market, and spend differs by the day', () => {
  const days = [9, 8, 7, 6, 5, 4].map((daysAgo) => day(daysAgo, demo));
  const of = (...types: string[]) =>
    figuresOf(days.flat().filter(({ ref }) => types.includes(ref.creativeType)));
  const [banner, video, playable] = [of('Banner'), of('Video'), of('Playable')];
  expectWithin(banner.ctrPercent, [0.3, 1], 'clicks of banners');
  expectWithin(video.ctrPercent, [1, 3], 'clicks of videos');
  expectWithin(playable.ctrPercent, [3, 6], 'clicks of playables');
  expect(video.ipm).toBeGreaterThan(1.2 * banner.ipm);
  expect(playable.ipm).toBeGreaterThan(1.2 * banner.ipm);
  for (const { campaignId, adsetId } of adsets.filter(({ isRunning }) => isRunning(daysBefore(NOW_MS, 9)))) {
    const spent = days.map(
      (events) => figuresOf(events.filter(({ ref }) => ref.adsetId === adsetId)).dollars,
    );
    expect(new Set(spent.map((dollars) => dollars.toFixed(1))).size, campaignId).toBeGreaterThan(3);
  }
});

test('some clicks and installs are marked as invalid traffic, more of them in a few apps', () => {
  const clicks = [9, 8, 7].flatMap((daysAgo) => day(daysAgo, busy)).filter(({ kind }) => kind === 'click');
  const invalid = clicks.filter(({ mark }) => mark !== '');
  expectWithin((100 * invalid.length) / clicks.length, [0.5, 6], 'percent of clicks that are invalid');
  expect(new Set(invalid.map(({ mark }) => mark))).toEqual(new Set(['bot', 'datacenter']));
});

/** The people by the days on which they used the app since the install, and the revenue of the first week. */
interface Person {
  activeDays: Set<number>;
  weekDollars: number;
  paidDollars: number;
  isPayer: boolean;
}

/** The people whose install is older than a week, by their install. */
function peopleOf(events: readonly DeliveryEvent[]): Map<string, Person> {
  const installs = events.filter(({ kind, atMs }) => kind === 'install' && atMs < NOW_MS - 8 * DAY_MS);
  const people = new Map(
    installs.map(({ ref }): [string, Person] => [
      ref.bidId,
      { activeDays: new Set(), weekDollars: 0, paidDollars: 0, isPayer: false },
    ]),
  );
  for (const { app } of events) {
    const person = app && people.get(app.clickBidId);
    if (!person) continue;
    const days = (app.eventAtMs - app.installAtMs!) / DAY_MS;
    const dollars = (app.revenueMicros ?? 0) / 1e6;
    person.activeDays.add(Math.floor(days));
    if (days < 7) person.weekDollars += dollars;
    if (app.isAdRevenue) continue;
    person.paidDollars += dollars;
    person.isPayer ||= dollars > 0;
  }
  return people;
}

/** Retention in percent, payers in percent, dollars of a payer, and return of the first week on the spend in percent. */
function qualityOf(people: readonly Person[], spendDollars: number) {
  const payers = people.filter(({ isPayer }) => isPayer);
  const activeOn = (age: number) => people.filter(({ activeDays }) => activeDays.has(age)).length;
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  return {
    firstDay: (100 * activeOn(1)) / people.length,
    week: (100 * activeOn(7)) / people.length,
    payers: (100 * payers.length) / people.length,
    ofPayer: sum(payers.map(({ paidDollars }) => paidDollars)) / payers.length,
    roas: (100 * sum(people.map(({ weekDollars }) => weekDollars))) / spendDollars,
  };
}

test('weeks grow by about an eighth, and cohorts are as of real apps', () => {
  const days = Array.from({ length: 43 }, (_, index) => day(42 - index, half));
  /** Of the seven days that end a number of days ago. */
  const weekOf = (endedDaysAgo: number, company = COMPANIES[0]!.user.login) =>
    days
      .slice(42 - endedDaysAgo - 6, 43 - endedDaysAgo)
      .flat()
      .filter(({ ref }) => ref.companyId === company);
  const growth = (endedDaysAgo: number, figure: 'dollars' | 'installs') =>
    100 * (figuresOf(weekOf(endedDaysAgo))[figure] / figuresOf(weekOf(endedDaysAgo + 7))[figure] - 1);
  for (const figure of ['dollars', 'installs'] as const) {
    expectWithin(growth(0, figure), [-29, 29], `percent of ${figure} since the week before, with today`);
    expectWithin(growth(1, figure), [-5, 30], `percent of ${figure} since the week before`);
  }
  // No campaign began or paused in these two weeks.
  expectWithin(growth(22, 'dollars'), [5, 20], 'percent of dollars three weeks ago');
  const events = days.flat();
  const countries = new Set(events.map(({ ref }) => ref.country));
  for (const country of countries) {
    const { installs, cpi } = figuresOf(events.filter(({ ref }) => ref.country === country));
    if (installs >= 40) expectWithin(cpi, [1, 6.5], `price of an install in ${country}`);
  }
  const main = events.filter(({ ref }) => ref.companyId === COMPANIES[0]!.user.login);
  const spent = figuresOf(main.filter(({ atMs }) => atMs < NOW_MS - 8 * DAY_MS)).dollars;
  const of = qualityOf([...peopleOf(main).values()], spent);
  expectWithin(of.firstDay, [25, 35], 'retention of the first day');
  expectWithin(of.week, [10, 15], 'retention of the seventh day');
  expectWithin(of.payers, [2, 6], 'payers');
  expectWithin(of.ofPayer, [8, 30], 'dollars of a payer');
  expectWithin(of.roas, [20, 60], 'return of the first week');
  const refunds = events.filter(({ app }) => (app?.revenueMicros ?? 0) < 0).length;
  expectWithin(refunds, [1, 40], 'refunds');
});

test('the price set by mistake multiplies the spend of its hours', () => {
  const spendAt = (hour: number, daysAgo = 3) =>
    hourOf(daysBefore(NOW_MS, daysAgo, hour))
      .filter(({ ref }) => ref.campaignId === 'Lumen Drift launch')
      .reduce((sum, { spendMicros }) => sum + spendMicros, 0);
  expect(spendAt(18)).toBeGreaterThan(2 * spendAt(18, 4));
  expect(spendAt(18, 2)).toBeLessThan(2 * spendAt(18, 4));
});

test('requests of the last day get no bid for the reasons that live traffic has', () => {
  const reasons = new Map<string, number>();
  const count = (reason: string) => void reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const sink = { bid() {}, event() {}, noBid: count };
  for (let hour = 0; hour < 24; hour += 1) busy.hour(daysBefore(NOW_MS, 1, hour), sink);
  const all = [...reasons.values()].reduce((sum, requests) => sum + requests, 0);
  expect([...reasons.keys()].sort()).toEqual(
    expect.arrayContaining(['connection_type', 'country', 'floor', 'os_version', 'unreadable']),
  );
  for (const reason of ['connection_type', 'os_version'])
    expectWithin((100 * reasons.get(reason)!) / all, [0.3, 4], `percent without a bid for ${reason}`);
});

test('the bids of its last week are counted by price, with the ones that won', async () => {
  const of = historyOf(5);
  const prices = createHistoryBidPrices(NOW_MS);
  let [bids, shown] = [0, 0];
  for (const hourMs of [NOW_MS - 8 * DAY_MS, NOW_MS - 5 * DAY_MS, NOW_MS - DAY_MS].map(
    (ms) => Math.floor(ms / HOUR_MS) * HOUR_MS,
  ))
    of.hour(hourMs, {
      bid(...args) {
        prices.bid(...args);
        if (args[2] >= NOW_MS - 7 * DAY_MS) bids += 1;
      },
      event(event) {
        prices.event(event);
        if (event.kind === 'impression' && event.mark === '' && event.atMs >= NOW_MS - 7 * DAY_MS) shown += 1;
      },
    });
  const rows: { placed: number; won: number; impressions: number }[] = [];
  await prices.write({
    clickhouse: { insert: async (_table: string, all: typeof rows) => void rows.push(...all) } as never,
  });
  const sum = (field: keyof (typeof rows)[number]) => rows.reduce((total, row) => total + row[field], 0);
  expect(sum('placed')).toBe(bids);
  expect(sum('impressions')).toBe(shown);
  expect(sum('won') / bids).toBeGreaterThan(0.1);
  expect(sum('won')).toBeLessThan(bids);
});

test('a billing notice with a price of 0 leaves the charge open, as the server stores it', () => {
  const billed = day(1, busy).filter(({ kind }) => kind === 'billing' || kind === 'unpriced');
  const unpriced = billed.filter(({ kind }) => kind === 'unpriced');
  expect(unpriced.length).toBeGreaterThan(0);
  for (const { kind, spendMicros, priceFault } of billed)
    expect([kind, priceFault]).toEqual([spendMicros > 0 ? 'billing' : 'unpriced', undefined]);
});

test('events come from the targets of their ad sets, in every format', () => {
  const events = impressions(day(1));
  const byAdset = new Map(adsets.map((adset) => [adset.adsetId, adset]));
  for (const { ref } of events) {
    const { plan, os } = byAdset.get(ref.adsetId)!;
    expect(plan.target.countries).toContain(ref.country);
    expect(ref.os).toBe(os);
  }
  expect(new Set(events.map(({ ref }) => ref.creativeType))).toEqual(
    new Set(['Banner', 'Native', 'Playable', 'Video']),
  );
  expect(new Set(events.map(({ ref }) => ref.campaignId)).size).toBe(8);
});

test('a re-engagement campaign has returns and their events, each reported, and no installs', () => {
  const events = [4, 3, 2, 1].flatMap((daysAgo) => day(daysAgo, busy));
  const returning = events.filter(({ ref }) => ref.campaignId === 'Basket Bloom come back');
  const ofKinds = (...kinds: string[]) => returning.filter(({ kind }) => kinds.includes(kind));
  const returns = ofKinds('reattribution', 'reinstall');
  const inApp = ofKinds('reengaged_event');
  expect(ofKinds('install', 'app_event')).toEqual([]);
  expect(returns.length).toBeGreaterThan(0);
  expect(inApp.length).toBeGreaterThan(0);
  const stored = postbacksOf(returning, adsets, NOW_MS, ownerOf).filter(
    ({ outcome }) => outcome === 'stored',
  );
  const kindsOf = stored.map(({ event }) => event?.kind);
  expect(kindsOf.filter((kind) => kind === 'retargeting')).toHaveLength(returns.length);
  expect(kindsOf.filter((kind) => kind === 'event')).toHaveLength(inApp.length);
});

test('a re-engagement campaign reaches people who are away from the app, of whom partners have reported nothing for a week', () => {
  const app = { name: 'Basket Bloom', os: 'android' as const };
  const all = COUNTRIES.flatMap((country) => ownersOf(WORLD_SEED, country, app));
  const away = new Set(all.filter((person) => isReached(person, app.name)).map((one) => one.advertisingId));
  const idsOf = (events: readonly DeliveryEvent[]) =>
    postbacksOf(events, adsets, NOW_MS, ownerOf)
      .filter(({ companyId, outcome }) => companyId === 'demo.bidwell' && outcome === 'stored')
      .flatMap(({ parameters }) => Object.values(JSON.parse(parameters) as Record<string, string>))
      .filter((id) => all.some(({ advertisingId }) => advertisingId === id));
  const lately = idsOf([7, 4, 1].flatMap((daysAgo) => day(daysAgo, busy)));
  expect(lately.length).toBeGreaterThan(0);
  expect(lately.filter((id) => away.has(id))).toEqual([]);
  const before = idsOf([40, 39, 20].flatMap((daysAgo) => day(daysAgo, busy)));
  expect(before.filter((id) => away.has(id)).length).toBeGreaterThan(before.length / 2);
  const seen = new Set(
    [4, 3, 2, 1]
      .flatMap((daysAgo) => impressions(day(daysAgo, busy)))
      .flatMap(({ ref }) => (ref.campaignId === 'Basket Bloom come back' ? [ref.personKey] : [])),
  );
  expect(seen.size).toBeGreaterThan(20);
  expect(seen.size).toBeLessThanOrEqual(away.size);
});

test('people who installed the app, and those who came back, are in the traffic that follows', () => {
  const events = [4, 3, 2, 1].flatMap((daysAgo) => day(daysAgo, busy));
  const sent = new Map<string, string[]>();
  for (const { companyId, campaignId, parameters } of postbacksOf(events, adsets, NOW_MS, ownerOf)) {
    const ids = Object.values(JSON.parse(parameters) as Record<string, string>);
    const key = campaignId === 'Basket Bloom come back' ? campaignId : companyId;
    sent.set(key, [...(sent.get(key) ?? []), ...ids]);
  }
  const bloom = new Set([...(sent.get('Basket Bloom come back') ?? []), ...(sent.get('demo.bidwell') ?? [])]);
  expect(sent.get('Basket Bloom come back')!.length).toBeGreaterThan(0);
  const traffic = createTraffic({
    random: seededRandom(9),
    worldSeed: WORLD_SEED,
    secure: false,
    people: PEOPLE,
  });
  const requests = Array.from({ length: 20_000 }, (_, n) => traffic.next(NOW_MS + n).request);
  const found = requests.filter(({ device }) => device.ifa !== undefined && bloom.has(device.ifa));
  expect(found.length).toBeGreaterThan(20);
  // In countries of the GDPR with their consent.
  const european = found.filter(({ regs }) => regs.ext.gdpr === 1);
  expect(european.length).toBeGreaterThan(0);
  for (const request of european) {
    const read = readBidRequest(request, 'meridian', { tcfVendorId: PEOPLE.vendorId });
    expect(read!.device.listId).not.toBe('');
  }
});

test('every install was reported by a postback on its tracking link', () => {
  const events = [...day(2), ...day(1)].filter(({ ref }) => !ref.reEngagement);
  const postbacks = postbacksOf(events, adsets, NOW_MS, ownerOf);
  const stored = postbacks.filter(({ outcome }) => outcome === 'stored');
  const counted = stored.filter(({ event }) => event === null).map(({ clickId }) => clickId);
  const installs = events.filter(({ kind }) => kind === 'install').map(({ ref }) => ref.bidId);
  expect(counted).toEqual(installs);
  expect(counted.length).toBeGreaterThan(0);
  const inApp = events.filter(({ kind }) => kind === 'app_event').map(({ ref }) => ref.bidId);
  expect(stored.flatMap(({ event }) => event?.id ?? [])).toEqual(inApp);
  const after = (touchpoint: string) => postbacks.filter((one) => one.touchpoint === touchpoint).length;
  expect([after('click'), after('impression')]).toEqual([
    installsAfter(events, true),
    installsAfter(events, false),
  ]);
  for (const { trackingLinkId, atMs } of postbacks) {
    expect(trackingLinkId).toMatch(/^link of /);
    expect(atMs).toBeLessThanOrEqual(NOW_MS);
  }
});

test('people who installed an app use it, on the same day and on later ones, and some pay', () => {
  const events = Array.from({ length: 42 }, (_, index) => day(42 - index, half)).flat();
  const installs = new Map(
    events.flatMap(({ kind, ref, atMs }) =>
      kind === 'install' ? [[ref.bidId, { atMs, ref }] as const] : [],
    ),
  );
  const inApp = events.filter(({ kind }) => kind === 'app_event');
  const daysAfter = inApp.map(({ app, ref }) => {
    const install = installs.get(app!.clickBidId)!;
    expect(ref).toMatchObject({ adsetId: install.ref.adsetId, bundle: install.ref.bundle });
    expect(app!.eventAtMs).toBeGreaterThanOrEqual(install.atMs - 1000);
    return Math.floor((app!.eventAtMs - install.atMs) / DAY_MS);
  });
  expect(new Set(inApp.map(({ ref }) => ref.bidId)).size).toBe(inApp.length);
  expect(daysAfter.filter((days) => days > 0).length).toBeGreaterThan(inApp.length / 8);
  expect(inApp.some(({ app }) => (app!.revenueMicros ?? 0) > 0 && !app!.isAdRevenue)).toBe(true);
});

/**
 * Sums of the delivery funnel: bids sent and the decided ones of the same days, bids by the requests that were followed, and
 * the requests that each ad set has seen.
 */
async function funnelSums(clickhouse: Context['clickhouse']) {
  const [sums] = await clickhouse.query<{ sent: number; decided: number; bids: number; seen: number[] }>(
    `select sumIf(requests, exit = 'sent') as sent, sumIf(requests, exit = 'bid') as bids,
       (select uniqExact(bid_id) from events where kind in ('win', 'loss', 'impression') and time >= (select min(hour) from funnel)) as decided,
       (select groupArray(seen) from (select sum(requests) as seen from funnel where exit != 'sent' group by adset_id)) as seen
     from funnel`,
  );
  return sums!;
}

/** Expects that the balances in the log are of their time, and that a credit limit was set by the balance of its time. */
async function expectMoneyOfThePast(operator: Api, companies: readonly OperatorCompany[]): Promise<void> {
  const entriesOf = async (login: string, action: string) => {
    const { uuid } = companies.find(({ logins }) => logins.includes(login))!;
    const AuditLog = z.object({ acts: z.array(AuditEntry) });
    const { acts } = await operator.get(`/acts?limit=200&company_uuid=${uuid}`, AuditLog);
    return acts.filter((entry) => entry.action === action);
  };
  const [credit] = await entriesOf('demo.bidwell', 'Credited');
  const { balance: before } = credit!.before as { balance: number };
  // Six of the twelve days were before the last of its credits, of 20,000 dollars.
  expect(before).toBeLessThan(15_000);
  expect(before).toBeGreaterThan(14_800);
  expect(Number(credit!.after!['balance']) - before).toBeCloseTo(5000);
  const [lowered] = (await entriesOf('demo.kestrel', 'Changed')).filter(
    ({ after }) => after !== null && 'credit_limit' in after,
  );
  const ageDays = (Date.now() - Date.parse(lowered!.created_at)) / DAY_MS;
  expect(ageDays).toBeGreaterThan(1.4);
  const { balance, credit_limit: limit } = companies.find(({ logins }) => logins.includes('demo.kestrel'))!;
  // Its budget is 22 dollars a day; here it has hardly spent any of it.
  expect(balance + limit - ageDays * 22).toBeGreaterThan(110);
  expect(balance + limit - ageDays * 22).toBeLessThan(140);
}

/** Expects the work, money and exchanges that operators find in their console, with actions of people. */
async function expectWorkForOperators(operator: Api): Promise<void> {
  const queue = await operator.get('/moderation', ModerationQueue);
  expect(queue.waiting).toBe(12);
  expect(queue.kinds).toMatchObject({ Playable: 1, Video: 2, tracking_link: 1 });
  const changed = queue.items.filter(({ approved }) => approved !== null);
  expect(changed.map(({ name }) => name)).toEqual(['Bloom native']);
  const { top_ups: topUps } = await operator.get('/top-ups', z.object({ top_ups: z.array(TopUpItem) }));
  expect(topUps).toMatchObject([{ company_name: 'Northlight Growth', amount: 5000 }]);
  const check = await operator.get('/ledger/check/last', LedgerCheck);
  expect(check.disagreements).toEqual([]);
  expect(Date.now() - Date.parse(check.checked_at)).toBeLessThan(DAY_MS);
  const companies = await demoCompanies(operator);
  expect(companies.map(({ margin_percent: margin }) => margin).sort()).toEqual([12, 15, 18]);
  const onCredit = companies.filter(({ credit_limit: limit }) => limit > 0);
  expect(onCredit.map(({ logins }) => logins)).toEqual([['demo.kestrel']]);
  await expectMoneyOfThePast(operator, companies);
  const { ssps } = await operator.get('/ssps', ExchangeList);
  expect(ssps).toHaveLength(EXCHANGES.length);
  const { exchanges } = await operator.get('/ssps/health?minutes=1440', ExchangeSummaries);
  for (const { slug, total } of exchanges) {
    expect(total.requests, slug).toBeGreaterThan(0);
    expect(total.unreadable > 0, slug).toBe(slug === 'northgate');
  }
  const { operators } = await operator.get('/operators', z.object({ operators: z.array(OperatorAccount) }));
  expect(operators.filter(({ last_login_at: at }) => at === null).map(({ login }) => login)).toEqual([
    'demo.operator',
  ]);
  const { acts } = await operator.get('/acts?limit=200', z.object({ acts: z.array(AuditEntry) }));
  // Among the newest entries, only the entries of this test are the token's.
  const byPeople = acts.filter(({ operator: by }) => by !== 'token');
  expect(acts.length - byPeople.length).toBeLessThanOrEqual(3);
  const people = new Set(byPeople.map(({ operator: by }) => by));
  expect([...people].sort()).toEqual(['jonas.weber', 'mara.ellis', 'priya.nair']);
}

exhaustive(
  'the ledger, the budgets and the delivery funnel agree with the events that were written, to the micro',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-history-'));
    try {
      await installEmptyEngines(dataDir);
      const config = readConfig({ DATA_DIR: dataDir, NODE_ENV: 'test', LOG_LEVEL: 'error' });
      const lines: string[] = [];
      const written = await prepareDemo(config, {
        url: 'http://localhost:8080',
        requestsPerSecond: 0.1,
        seed: 5,
        days: 12,
        onProgress: (line) => void lines.push(line),
      });
      expect(written!.spendMicros).toBeGreaterThan(0);
      const app = await open(config);
      try {
        const { disagreements } = await reconcileLedger(app.ctx, TOKEN_HOLDER);
        expect(disagreements).toEqual([]);
        const { clickhouse, db } = app.ctx;
        const [stored] = await clickhouse.query<{ events: number; spend: number }>(
          'select count() as events, sum(spend_micros) as spend from events',
        );
        expect(stored).toEqual({ events: written!.events, spend: written!.spendMicros });
        const [reported] = await clickhouse.query<{ installs: number; postbacks: number }>(
          `select (select count() from events where kind = 'install') as installs,
           (select count() from postbacks where outcome = 'stored') as postbacks`,
        );
        expect(reported!.postbacks).toBe(reported!.installs);
        // Bidders choose the sampled requests by their people, so that forecasts count frequency caps.
        const [sampled] = await clickhouse.query<{ people: number; unknown: number }>(
          'select uniqExactIf(person, person != 0) as people, countIf(level = 255) as unknown from request_sample',
        );
        expect(sampled!.unknown).toBe(0);
        expect(sampled!.people).toBeGreaterThan(100);
        const { sent, decided, bids, seen } = await funnelSums(clickhouse);
        // Some exchanges report nothing of lost bids.
        expect(sent).toBeGreaterThan(decided);
        expect(new Set(seen).size).toBe(1);
        // Seven days of up to 360 requests an hour, on the average.
        expect(seen[0]! / (7 * 24 * 360)).toBeCloseTo(0.95, 1);
        expect(bids / sent).toBeGreaterThan(0.85);
        expect(bids / sent).toBeLessThan(1.15);
        const [inApp] = await clickhouse.query<{ events: number; names: number; postbacks: number }>(
          `select countIf(kind in ('app_event', 'reengaged_event', 'reattribution', 'reinstall')) as events, uniqExactIf((app_id, event_name), kind = 'app_event') as names,
           (select count() from postbacks where event_outcome = 'stored') as postbacks from events`,
        );
        const live = await db
          .selectFrom('audiences')
          .select(['name', 'size'])
          .where('kind', '=', 'live')
          .orderBy('name')
          .execute();
        const sizes = new Map(live.map(({ name, size }) => [name, size]));
        expect(sizes.get('Customers away for a week')).toBeGreaterThan(0);
        const names = await db.selectFrom('app_event_names').select(['name', 'label']).execute();
        for (const { name, label } of names) expect(label, name).toMatch(/^[A-Z]/);
        expect(inApp).toEqual({ events: inApp!.postbacks, names: names.length, postbacks: inApp!.postbacks });
        // How many of the rarer ones there are depends on the hour at which the history ends.
        expect(names.length).toBeGreaterThan(0);
        const people = await db.selectFrom('users').select('email_confirmed_at').execute();
        for (const { email_confirmed_at } of people) expect(email_confirmed_at).not.toBeNull();
        const booked = await db.selectFrom('adset_spend').select('ever_micros').execute();
        expect(booked.reduce((sum, { ever_micros }) => sum + ever_micros, 0)).toBe(written!.spendMicros);
        const campaigns = await db.selectFrom('campaigns').select(['name', 'created_at']).execute();
        const launch = campaigns.find(({ name }) => name === 'Lumen Drift launch')!;
        expect(Date.now() - launch.created_at.getTime()).toBeGreaterThan(89 * DAY_MS);
        await app.listen();
        const { port } = app.http.server.address() as AddressInfo;
        await expectWorkForOperators(operatorApi(`http://127.0.0.1:${port}`, app.ctx.config.operatorToken));
      } finally {
        await app.close();
      }
      // A second preparation finds the companies, and leaves them as they are.
      const again = await prepareDemo(config, {
        url: 'http://localhost:8080',
        requestsPerSecond: 0.1,
        seed: 5,
        onProgress: () => {},
      });
      expect(again).toBeNull();
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);
