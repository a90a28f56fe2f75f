import type { DeliveryFunnel } from '@bidwell/contract/insight/delivery-report';
import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import { FUNNEL_STEPS } from '@bidwell/contract/insight/funnel';
import { expect, test } from 'vitest';
import { diagnose } from './diagnose.ts';
import type { AdsetFacts, CampaignFacts } from './facts.ts';

/** A funnel that these requests entered, and left at these exits. */
function funnel(
  seen: number,
  exits: Partial<Record<FunnelExit, number>>,
  over: Partial<DeliveryFunnel> = {},
): DeliveryFunnel {
  let left = seen;
  const steps = FUNNEL_STEPS.map(({ step, exits: names }) => {
    const lost = (names as readonly FunnelExit[]).flatMap((exit) =>
      exits[exit] ? [{ exit, requests: { value: exits[exit], error: 0 } }] : [],
    );
    for (const { requests } of lost) left -= requests.value;
    return { step, requests: { value: left, error: 0 }, exits: lost };
  });
  const none = {
    wins: left,
    losses: 0,
    losses_by_code: [],
    impressions: 0,
    clicks: 0,
    installs: 0,
    spend: 0,
  };
  return { seen: { value: seen, error: 0 }, samples: seen, steps, bids: left, ...none, ...over };
}

const UUID = '00000000-0000-4000-8000-000000000001';

function adset(delivery: DeliveryFunnel, over: Partial<AdsetFacts> = {}): AdsetFacts {
  return {
    uuid: UUID,
    name: 'Ad set',
    isActive: true,
    algorithm: 'Manual CPM',
    betCpm: 2.5,
    betCpi: null,
    dailyBudget: 100,
    totalBudget: null,
    appUuid: UUID,
    target: { uuid: UUID },
    link: { uuid: UUID, name: 'Link', review: 'Approved' },
    creatives: ['Approved'],
    ranDays: 1,
    before: new Set(),
    spentEver: 0,
    delivery: { uuid: UUID, name: 'Ad set', outbid_by: [], ...delivery },
    market: null,
    ...over,
  };
}

function campaign(adsets: readonly AdsetFacts[], over: Partial<CampaignFacts> = {}): CampaignFacts {
  return {
    uuid: UUID,
    isActive: true,
    startDate: null,
    endDate: null,
    today: '2026-06-10',
    range: { start: '2026-06-10', end: '2026-06-10' },
    app: { uuid: UUID, name: 'App', review: 'Approved' },
    isSuspended: false,
    available: 50,
    isBiddingStopped: false,
    exchanges: 1,
    adsets,
    postbacks: { received: 10, refused: 0 },
    ...over,
  };
}

const codes = (facts: CampaignFacts): string[] => diagnose(facts).map(({ code }) => code);

test('a campaign that spends its budget is fine, and one that could spend more is limited by it', () => {
  const fine = adset(funnel(1000, { country: 600, os: 200 }, { spend: 98 }));
  expect(diagnose(campaign([fine]))[0]).toMatchObject({
    code: 'fine',
    text: 'Nothing is wrong: it uses 98 % of its budget: $98.00 of $100.00.',
  });
  // More came in these hours than in others of the day.
  const ahead = adset(funnel(1000, {}, { spend: 60 }), { ranDays: 0.5 });
  expect(diagnose(campaign([ahead]))[0]!.text).toBe('Nothing is wrong: it spent $60.00, all of its budget.');
  const limited = adset(funnel(1000, { daily_budget: 900 }, { spend: 100 }));
  expect(diagnose(campaign([limited]))).toMatchObject([
    { code: 'budget_use', severity: 'fine', text: 'It uses 100 % of its budget: $100.00 of $100.00.' },
    { code: 'daily_budget' },
  ]);
});

test('a campaign that leaves most of its budget says so first, with the main reason and the numbers behind it', () => {
  const week = { range: { start: '2026-06-04', end: '2026-06-10' } };
  const spent = { bids: 30_000, wins: 9000, impressions: 9000, spend: 168.51 };
  const little = adset(funnel(1_200_000, { os: 200_000, country: 970_000 }, spent), {
    dailyBudget: 650,
    ranDays: 7,
  });
  expect(diagnose(campaign([little], week))).toMatchObject([
    {
      code: 'budget_use',
      severity: 'limited',
      text:
        'It uses 3.7 % of its budget: $168.51 of $4\u00a0550.00, mainly because only 3 % of the bid requests for its system match its targets. ' +
        'Of 1\u00a0200\u00a0000 bid requests, 30\u00a0000 match its targets and 30\u00a0000 have a place for its creatives; 30\u00a0000 bids, ' +
        '9\u00a0000 won (30 % of the bids sent) at an average CPM of $18.72.',
      remedy: { screen: 'target' },
    },
  ]);
  // It ran for a part of the range only.
  const begun = { ...little, dailyBudget: 650, ranDays: 0.28 };
  expect(codes(campaign([begun], week))).toEqual(['fine']);
});

test('the numbers behind the reason count requests as the funnel does: once for each ad set', () => {
  const one = (over: Partial<AdsetFacts> = {}) =>
    adset(funnel(1000, { os: 600, floor: 300 }, { wins: 10, spend: 1 }), over);
  const textOf = (adsets: AdsetFacts[]) => diagnose(campaign(adsets))[0]!.text;
  expect(textOf([one()])).toContain('Of 1\u00a0000 bid requests, 400 match');
  expect(textOf([one(), one()])).toContain(
    'Of 2\u00a0000 bid requests, counted once for each ad set, 800 match its targets',
  );
  expect(textOf([one(), one({ isActive: false })])).toContain(
    'Of 1\u00a0000 bid requests, counted once for each active ad set, 400 match its targets',
  );
});

test('the reason is what lets fewer go on than usual: a chosen target is not, where the price is below most floors', () => {
  const spent = { bids: 160_000, wins: 5900, impressions: 27_000, spend: 247 };
  const requests = { os: 6_000_000, country: 2_750_000, floor: 390_000 };
  const low = adset(funnel(9_300_000, requests, spent), { dailyBudget: 85, ranDays: 6.6 });
  const [first, second] = diagnose(campaign([low]));
  expect(first!.text).toContain('mainly because its price is high enough for only 29 % of the bid requests');
  expect(first!.remedy).toMatchObject({ screen: 'adset', field: 'bet_cpm' });
  expect(second!.code).toBe('floor');
});

test('what a total budget had left when the range began is all that can be used of it', () => {
  const spent = { bids: 1000, wins: 200, impressions: 200, spend: 60 };
  const ending = adset(funnel(1000, {}, spent), {
    dailyBudget: 100,
    totalBudget: 1000,
    spentEver: 995,
    ranDays: 7,
  });
  expect(diagnose(campaign([ending]))[0]).toMatchObject({
    code: 'fine',
    text: 'Nothing is wrong: it uses 92 % of its budget: $60.00 of $65.00.',
  });
});

test('a campaign is fine from 90 % of its plan or of what the market has, and not below', () => {
  const spending = (spend: number, wins = 100) =>
    codes(campaign([adset(funnel(1000, {}, { bids: 1000, wins, spend }))]));
  expect(spending(89)).toEqual(['budget_use']);
  expect(spending(90)).toEqual(['fine']);
  expect(spending(20, 890)).toEqual(['budget_use']);
  expect(diagnose(campaign([adset(funnel(1000, {}, { wins: 900, spend: 20 }))]))).toMatchObject([
    {
      code: 'fine',
      text: 'Nothing is wrong: it uses 20 % of its budget: $20.00 of $100.00, and wins 90 % of the 1\u00a0000 bid requests that match it. The market has no more for it.',
    },
  ]);
});

test('a campaign without a daily budget is not said to be fine while the market has more', () => {
  const unlimited = adset(funnel(1000, {}, { wins: 200, impressions: 200, spend: 0.5 }), {
    dailyBudget: null,
  });
  expect(diagnose(campaign([unlimited]))).toMatchObject([
    {
      code: 'budget_use',
      severity: 'advice',
      text: expect.stringContaining(
        'It spent $0.50, without a daily budget, mainly because it wins only 20 % of its bids.',
      ),
    },
  ]);
});

test('a finding stays until its figure is clearly better, and does not come before it is worse', () => {
  const lost = (floor: number, ...before: ('floor' | 'unwon')[]) =>
    codes(campaign([adset(funnel(1000, { floor }), { before: new Set(before) })])).includes('floor');
  expect([lost(490), lost(510), lost(490, 'floor'), lost(390, 'floor')]).toEqual([false, true, true, false]);
  const won = (wins: number, ...before: ('floor' | 'unwon')[]) =>
    codes(campaign([adset(funnel(1000, {}, { bids: 1000, wins }), { before: new Set(before) })])).includes(
      'win_price',
    );
  expect([won(101), won(99), won(101, 'unwon'), won(121, 'unwon')]).toEqual([false, true, true, false]);
});

test('pacing is named when it takes most of the requests', () => {
  const paced = adset(funnel(1000, { pacing: 900 }), { algorithm: 'Max installs' });
  expect(diagnose(campaign([paced]))[1]).toMatchObject({
    code: 'pacing',
    text: 'Pacing spreads the daily budget of $100.00 over the day: “Ad set” does not bid on 90 % of the requests that fit it.',
  });
});

test('targeting that leaves a part of the requests is chosen and no finding', () => {
  expect(codes(campaign([adset(funnel(1000, { os: 500, country: 450 }))]))).toEqual(['fine']);
});

test('a few sampled requests that nobody targets are no finding where the ad set has bid', () => {
  expect(codes(campaign([adset(funnel(12, { country: 12 }, { bids: 3 }))]))).toEqual(['budget_use']);
  expect(codes(campaign([adset(funnel(12, { country: 12 }, { impressions: 900 }))]))).toEqual(['fine']);
});

test('a reason is found in the order in which requests come to it, however the counts are sorted', () => {
  const wrong = funnel(1000, { os: 300, country: 700 });
  const sorted = wrong.steps.map((step) => ({ ...step, exits: step.exits.toReversed() }));
  expect(codes(campaign([adset({ ...wrong, steps: sorted })]))).toEqual(['budget_use', 'country']);
});

test('requests from another system alone are said to be that', () => {
  expect(diagnose(campaign([adset(funnel(1200, { os: 1200 }))]))).toMatchObject([
    {
      code: 'no_requests',
      text: 'None of about 1\u00a0200 bid requests came from a device with the system of “App”.',
    },
  ]);
});

test('requests that nobody could bid on are said to be that', () => {
  expect(diagnose(campaign([adset(funnel(1200, { os: 100, currency: 1100 }))]))).toMatchObject([
    { code: 'no_requests', text: 'None of about 1\u00a0200 bid requests could be bid on (currency).' },
  ]);
});

test('refused and missing postbacks come before what limits delivery, and after what stops it', () => {
  const delivery = funnel(1000, { floor: 900 }, { clicks: 50 });
  const refused = campaign([adset(delivery)], { postbacks: { received: 0, refused: 12 } });
  expect(codes(refused)).toEqual(['budget_use', 'postbacks_refused', 'floor']);
  expect(codes({ ...refused, postbacks: { received: 0, refused: 0 } })).toEqual([
    'budget_use',
    'postbacks_missing',
    'floor',
  ]);
  expect(codes({ ...refused, available: 0 })[0]).toBe('balance');
  const counted = campaign([adset(funnel(1000, {}, { clicks: 50, installs: 40 }))]);
  expect(codes({ ...counted, postbacks: { received: 0, refused: 0 } })).not.toContain('postbacks_missing');
});

test('bids that other buyers outbid are named with the share that won', () => {
  const unwon = adset(funnel(1000, {}, { bids: 1000, wins: 20, impressions: 18 }));
  expect(diagnose(campaign([unwon]))[1]).toMatchObject({
    code: 'win_price',
    text: '“Ad set” won 2 % of its 1\u00a0000 bids: other buyers bid more.',
  });
});

test('bids that other buyers outbid are named with the price that would have won, and it is filled in', () => {
  const lossesAt = (median: number) =>
    funnel(
      1000,
      {},
      {
        bids: 1000,
        wins: 20,
        losses: 900,
        losses_by_code: [
          { code: 102, losses: 880, min_to_win: { losses: 800, median_cpm: median, p80_cpm: 3.401 } },
          { code: 100, losses: 20, min_to_win: { losses: 20, median_cpm: 9, p80_cpm: 10 } },
        ],
      },
    );
  expect(diagnose(campaign([adset(lossesAt(2.810001))]))[1]).toMatchObject({
    code: 'win_price',
    text: '“Ad set” won 2 % of its 1\u00a0000 bids: other buyers bid more. Of 800 lost bids with a known price, half would have won at $2.82, four of five at $3.41.',
    remedy: { label: 'Set the bid to $2.82', field: 'bet_cpm', value: 2.82 },
  });
  // The highest bid is above that already, so it is not filled in.
  expect(diagnose(campaign([adset(lossesAt(1.2))]))[1]).toMatchObject({
    code: 'win_price',
    remedy: { label: 'Change the bid', field: 'bet_cpm', value: null },
  });
});

test('bids below the floor of the exchange, and rejected creatives, are not said to be outbid', () => {
  const lostFor = (code: number) =>
    diagnose(
      campaign([
        adset(
          funnel(
            1000,
            {},
            { bids: 1000, wins: 20, losses: 900, losses_by_code: [{ code, losses: 900, min_to_win: null }] },
          ),
        ),
      ]),
    )[1];
  expect(lostFor(100)).toMatchObject({
    code: 'win_price',
    text: '“Ad set” won 2 % of its 1\u00a0000 bids: the exchanges’ floors were higher.',
  });
  // Codes of exchanges, and codes without a meaning, do not name a cause.
  for (const code of [999, 1000]) expect(lostFor(code)).toMatchObject({ code: 'win_price' });
  expect(lostFor(203)).toMatchObject({
    code: 'creative_refused',
    text: '“Ad set” won 2 % of its 1\u00a0000 bids: exchanges rejected 900 of them. Size of the creative is not allowed (code 203).',
    remedy: { screen: 'creatives' },
  });
});

test('of two causes the one that costs more bids comes first', () => {
  const size = { no_matching_size: 600 };
  const both = adset(funnel(1000, { ...size, floor: 390 }));
  expect(codes(campaign([both]))).toEqual(['budget_use', 'floor', 'size_missing']);
  const sizeMost = adset(funnel(1000, { no_matching_size: 900, floor: 51 }));
  expect(codes(campaign([sizeMost]))).toEqual(['budget_use', 'size_missing', 'floor']);
});

test.each([
  ['suspended', { isSuspended: true }],
  ['campaign_paused', { isActive: false }],
  ['not_started', { startDate: '2026-06-11' }],
  ['app_in_review', { app: { uuid: UUID, name: 'App', review: 'Moderation' as const } }],
  ['app_rejected', { app: { uuid: UUID, name: 'App', review: 'Rejected' as const } }],
  ['bidding_stopped', { isBiddingStopped: true }],
  ['exchange_off', { exchanges: 0 }],
  ['no_adset', { adsets: [] }],
])('%s is named before anything else', (code, over) => {
  const delivery = funnel(1000, { floor: 900 });
  expect(codes(campaign([adset(delivery)], over))[0]).toBe(code);
});

test.each([
  ['adsets_paused', { isActive: false }],
  ['creative_in_review', { creatives: ['Moderation', 'Rejected'] as const }],
  ['no_creative', { creatives: [] }],
  ['tracking_link_in_review', { link: { uuid: UUID, name: 'Link', review: 'Moderation' as const } }],
  ['total_budget_spent', { totalBudget: 50, spentEver: 50 }],
])('%s of its only ad set is named before anything else', (code, over) => {
  const delivery = funnel(1000, { floor: 900 });
  expect(codes(campaign([adset(delivery, over)]))[0]).toBe(code);
});

test('an ad set that learns installs says so beside what is found', () => {
  const learning = adset(funnel(1000, {}, { installs: 3 }), { algorithm: 'Target CPI' });
  expect(codes(campaign([learning]))).toEqual(['fine', 'learning']);
});
