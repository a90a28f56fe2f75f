import { expect, test } from 'vitest';
import { make, makeAdsetParts } from '@bidwell/testing/advertising';
import { openLocalIngest } from '@bidwell/testing/local-ingest';
import { PHONE, answersWhenDecided, partnersOf } from '@bidwell/testing/partners';
import { testApp } from '@bidwell/testing/test-app';
import type { EventMark } from '../../delivery/model/event.ts';
import { LONGEST_WINDOW } from '../../delivery/postbacks/event-windows.ts';
import { decidePostback, inAppEventOf } from '../../delivery/postbacks/postback-decision.ts';
import { sampleRef } from '../../delivery/trackers/sample-ref.ts';

const app = await testApp({ MODERATION: 'auto' }, undefined, answersWhenDecided);
const { touch, freshAdvertiser } = partnersOf(app);
const DAY_MS = 86_400_000;
const EVENTS = 100_000;
/** How many of them arrive over HTTP; the others are decided and recorded as their postbacks would be. */
const OVER_HTTP = 1000;
const PEOPLE = { overHttp: 40, others: 400 };
const DOLLARS_PER_EURO = 1.25;
const KINDS = 20;

const atMs = app.clock.now.getTime();
const day = new Date(atMs).toISOString().slice(0, 10);

/** The outcome of the events whose number has this remainder. */
function kindOf(
  index: number,
): 'dollars' | 'refund' | 'euros' | 'gold' | 'repeated' | 'rejected' | 'late' | 'test' | 'bot' | 'free' {
  const kind = index % KINDS;
  if (kind < 10) return 'dollars';
  return (
    ['refund', 'euros', 'euros', 'gold', 'repeated', 'rejected', 'late', 'test', 'bot', 'free'] as const
  )[kind - 10]!;
}

const NAMES = { refund: 'refund', gold: 'gift', free: 'level' } as const;
const nameOf = (kind: ReturnType<typeof kindOf>): string =>
  kind in NAMES ? NAMES[kind as keyof typeof NAMES] : 'purchase';
const CURRENCIES = { euros: 'EUR', gold: 'XAU' } as const;

/** The parameters of the postback of an event, without its click. */
function parametersOf(index: number): Record<string, string> {
  const kind = kindOf(index);
  // The same event as one before.
  if (kind === 'repeated') return parametersOf(index - 14);
  const cents = centsOf(index);
  return {
    event_name: nameOf(kind),
    event_id: `event ${index}`,
    event_time: String(Math.floor(atMs / 1000) - (index % 600)),
    ...(kind !== 'free' && {
      revenue: (cents / 100).toFixed(2),
      currency: CURRENCIES[kind as keyof typeof CURRENCIES] ?? 'USD',
    }),
    ...(kind === 'rejected' && { is_rejected: '1' }),
  };
}

const centsOf = (index: number): number => ((index % 997) + 1) * (kindOf(index) === 'refund' ? -1 : 1);

/** Counts of a name, as the report must show them. */
interface Sums {
  count: number;
  people: Set<string>;
  micros: number;
  priced: number;
  unknown: number;
}

test('a hundred thousand mixed events are stored, and reported, as they were sent', async () => {
  await app.operator('PUT', '/rates/EUR', { dollars: DOLLARS_PER_EURO });
  const { company, report } = await freshAdvertiser();
  const { body, appUuid } = await makeAdsetParts(app, company);
  const adsetId = await make(company, '/adset', body);
  const campaignId = await make(company, '/campaign', {
    name: 'Many',
    app_uuid: appUuid,
    adset_uuids: [adsetId],
  });
  const bidsOf = (people: number, kind: 'test' | 'late' | '') =>
    Array.from({ length: people }, () =>
      sampleRef(
        { companyId: company.companyId, appId: appUuid, adsetId, campaignId, test: kind === 'test' },
        atMs - (kind === 'late' ? 181 * DAY_MS : 60_000),
      ),
    );
  const groupOf = (people: number) => ({
    plain: bidsOf(people, ''),
    bot: bidsOf(people, ''),
    test: bidsOf(people, 'test'),
    late: bidsOf(people, 'late'),
  });
  const groups = { http: groupOf(PEOPLE.overHttp), others: groupOf(PEOPLE.others) };
  const refOf = (index: number) => {
    const of = kindOf(index) === 'repeated' ? index - 14 : index;
    const group = index < OVER_HTTP ? groups.http : groups.others;
    const kind = kindOf(of);
    const bids = kind === 'test' || kind === 'late' || kind === 'bot' ? group[kind] : group.plain;
    return bids[Math.floor(of / KINDS) % bids.length]!;
  };

  const sums = new Map<string, Sums>();
  let rows = 0;
  for (let index = 0; index < EVENTS; index += 1) {
    const kind = kindOf(index);
    if (kind === 'repeated' || kind === 'rejected' || kind === 'late') continue;
    rows += 1;
    if (kind === 'test' || kind === 'bot') continue;
    const name = nameOf(kind);
    const sum = sums.get(name) ?? { count: 0, people: new Set<string>(), micros: 0, priced: 0, unknown: 0 };
    sums.set(name, sum);
    sum.count += 1;
    sum.people.add(refOf(index).bidId);
    if (kind === 'free') continue;
    sum.priced += 1;
    if (kind === 'gold') sum.unknown += 1;
    else sum.micros += centsOf(index) * 10_000 * (kind === 'euros' ? DOLLARS_PER_EURO : 1);
  }

  const { http } = groups;
  for (const [refs, userAgent] of [
    [http.plain, PHONE],
    [http.test, PHONE],
    [http.bot, 'curl/8.5.0'],
  ] as const)
    await Promise.all(refs.map(async (ref) => touch(ref, 'click', userAgent)));
  await Promise.all(
    Array.from({ length: OVER_HTTP }, async (_, index) => report(refOf(index), parametersOf(index))),
  );

  const { clickhouse, config } = app.ctx;
  const ingest = await openLocalIngest({
    clickhouse,
    dataDir: `${config.dataDir}/many`,
    now: () => app.clock.now,
  });
  const decide = async (index: number) => {
    const ref = refOf(index);
    const postback = { mmp: 'appsflyer' as const, atMs, parameters: parametersOf(index) };
    const mark: EventMark = groups.others.bot.includes(ref) ? 'bot' : '';
    return decidePostback(
      { ...postback, ref, mayTakeBack: true, inApp: inAppEventOf(postback, ref), namedAppId: '' },
      [{ bidId: ref.bidId, kind: 'click', atMs, mark, untrained: '' }],
      {
        record: (event) => ingest.record(event),
        rates: { admitInstall: () => true, removeInstall: () => {} },
        countedEvent: async () => undefined,
        windowOf: () => LONGEST_WINDOW,
        admitName: async (_ref, name) => name,
        currencyRates: new Map([['EUR', DOLLARS_PER_EURO]]),
      },
    );
  };
  await Promise.all(
    Array.from({ length: EVENTS - OVER_HTTP }, async (_, index) => decide(index + OVER_HTTP)),
  );
  await ingest.flushed();
  await ingest.close();
  await app.settled();

  const stored = await clickhouse.query<{ rows: number }>(
    "select count() as rows from events where company_id = {company:UUID} and kind = 'app_event'",
    { company: company.companyId },
  );
  expect(stored).toEqual([{ rows }]);
  const { data: measured } = await company.call('GET', `/measurement?start_date=${day}&end_date=${day}`);
  const expected = [...sums].map(([name, { count, people, micros, priced, unknown }]) => ({
    name,
    label: null,
    offered: true,
    count,
    people: people.size,
    revenue: unknown > 0 || priced === 0 ? null : micros / 1_000_000,
    unknown_amounts: unknown,
  }));
  expect(measured.in_app_events).toEqual(
    expected.toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name)),
  );

  const { data: levels } = await company.call('POST', '/analytics/level', {
    start_date: day,
    end_date: day,
    levels: { campaign: '' },
    metrics: ['app_events', 'revenue'],
    event_names: [...sums.keys()],
  });
  const all = [...sums.values()];
  expect(levels.total).toMatchObject({
    app_events: all.reduce((sum, { count }) => sum + count, 0),
    // The sum of the known amounts.
    revenue: all.reduce((sum, { micros }) => sum + micros, 0) / 1_000_000,
    named_events: [...sums].map(([name, { count, people }]) => ({ name, count, people: people.size })),
  });
});
