import type { DeliveryFunnel } from '@bidwell/contract/insight/delivery-report';
import type { Finding, FindingCode } from '@bidwell/contract/insight/finding';
import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import { FUNNEL_STEPS } from '@bidwell/contract/insight/funnel';
import { expect, test } from 'vitest';
import { caseFiles } from '@bidwell/testing/case-files';
import { diagnose } from './diagnose.ts';
import type { AdsetFacts, CampaignFacts, LossCause } from './facts.ts';

/** Some fields of a finding. If `text` is a list, the text must contain each of its parts. */
type CaseFinding = Partial<Omit<Finding, 'text'>> & { text?: string | string[] };

/** One file of ./cases: the differences from `campaign`, its ad sets, and the expected findings. */
interface Case {
  campaign?: Partial<CampaignFacts>;
  adsets: {
    /** Requests that entered the funnel, and those that left it at each exit. */
    seen: number;
    exits?: Partial<Record<FunnelExit, number>>;
    counts?: Partial<DeliveryFunnel & Pick<AdsetFacts['delivery'], 'learning'>>;
    facts?: Partial<Omit<AdsetFacts, 'before'>> & { before?: LossCause[] };
  }[];
  /** The codes of all findings, in their order. */
  codes?: FindingCode[];
  including?: FindingCode[];
  without?: FindingCode[];
  /** Findings by their places, from 0. */
  findings?: Record<number, CaseFinding>;
}

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
    device_ids: null,
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
    cpa: null,
    roas: null,
    missingGoal: null,
    lacksAudience: false,
    ownAudiences: { include: false, exclude: false, skips: false },
    unreachable: null,
    goalEvent: null,
    hasGoalArrived: true,
    hasAllEventNames: false,
    budgetCountries: [],
    hours: null,
    dailyBudget: 100,
    totalBudget: null,
    caps: [],
    campaign: { uuid: UUID, caps: [] },
    appUuid: UUID,
    target: { uuid: UUID },
    link: { uuid: UUID, name: 'Link', review: 'Approved' },
    creatives: ['Approved'],
    ranDays: 1,
    before: new Set(),
    lacksSourceIdentifier: false,
    notApproved: [],
    spentEver: 0,
    knownInstalls: delivery.installs,
    delivery: { uuid: UUID, name: 'Ad set', outbid_by: [], too_large: [], learning: null, ...delivery },
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
    startTime: null,
    endTime: null,
    today: '2026-06-10',
    time: '12:00',
    range: { start: '2026-06-10', end: '2026-06-10' },
    app: { uuid: UUID, name: 'App', review: 'Approved', addedOn: '2026-06-01', partner: 'Adjust' },
    isSuspended: false,
    available: 50,
    isBiddingStopped: false,
    exchanges: 1,
    adsets,
    signing: null,
    postbacks: { received: 10, rejected: 0 },
    ...over,
  };
}

test.each(caseFiles<Case>(import.meta.url))('%s', (_name, { campaign: over, adsets, ...expected }) => {
  const found = diagnose(
    campaign(
      adsets.map(({ seen, exits = {}, counts, facts: { before = [], ...facts } = {} }) =>
        adset(funnel(seen, exits, counts), { ...facts, before: new Set(before) }),
      ),
      over,
    ),
  );
  const codes = found.map(({ code }) => code);
  if (expected.codes) expect(codes).toEqual(expected.codes);
  expect(codes).toEqual(expect.arrayContaining(expected.including ?? []));
  for (const code of expected.without ?? []) expect(codes).not.toContain(code);
  for (const [index, { text = [], ...fields }] of Object.entries(expected.findings ?? {})) {
    const finding = found[Number(index)];
    expect(finding).toMatchObject(typeof text === 'string' ? { ...fields, text } : fields);
    for (const part of typeof text === 'string' ? [] : text) expect(finding!.text).toContain(part);
  }
});

test('a reason is found in the order in which requests come to it, however the counts are sorted', () => {
  const wrong = funnel(1000, { os: 300, country: 700 });
  const sorted = wrong.steps.map((step) => ({ ...step, exits: step.exits.toReversed() }));
  const found = diagnose(campaign([adset({ ...wrong, steps: sorted })]));
  expect(found.map(({ code }) => code)).toEqual(['budget_use', 'country']);
});
