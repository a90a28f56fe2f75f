import type { DeliveryStep } from '@bidwell/contract/insight/delivery-report';
import { flightDays } from '@bidwell/contract/campaigns/flight';
import type { Finding, Remedy } from '@bidwell/contract/insight/finding';
import type { FunnelExit, FunnelStep } from '@bidwell/contract/text/no-bid-reasons';
import { addToSum } from '../../../platform/group-by.ts';
import { flightOf, remedy } from './blockers.ts';
import { audienceRemedy } from './losses.ts';
import type { AdsetFacts, CampaignFacts } from './facts.ts';
import { JUDGED_MIN, dollars, inDigits, inWords, percent, precisePercent } from './finding-words.ts';
import { priceSetting, settingOfLostBids, settingRemedy } from './price-setting.ts';

/** From this share on, a budget counts as used up. */
const ALL_SHARE = 0.99;
/** From this share of its plan, or of the requests in the market, a campaign spends as it should. */
const ENOUGH_SHARE = 0.9;
/** Below this share of its plan, a campaign whose bids lose is not held back by its budgets. */
const BUDGET_LEFT_SHARE = 0.5;
/** A shorter time says nothing about a day's budget: an hour. */
const RAN_DAYS_MIN = 1 / 24;

/**
 * The share of its budget that a campaign uses in the viewed range, and why it does not use more: the requests that match
 * it, the requests with a place for its creatives, its bids and the share that wins. `fine` from 90 % of the plan, or of
 * the requests that it could win, unless `hasCauses`: other findings name the problem. `adsets` are the active ad sets.
 * Pure.
 */
export function budgetUse(facts: CampaignFacts, adsets: readonly AdsetFacts[], hasCauses: boolean): Finding {
  const spend = sumOf(adsets, ({ delivery }) => delivery.spend);
  const plan = planOf(facts, adsets);
  const market = marketOf(adsets, facts.adsets);
  const base = { adset: null, lost: null } as const;
  if (plan !== null && plan > 0 && spend >= plan * ENOUGH_SHARE)
    return {
      ...base,
      code: hasCauses ? 'budget_use' : 'fine',
      severity: 'fine',
      text: `${hasCauses ? 'It' : 'Nothing is wrong: it'} ${fullUseText(spend, plan, budgetOf(facts, adsets))}.`,
      remedy: null,
    };
  const used = usedText(spend, plan);
  if (!hasCauses && market.won > 0 && market.won >= market.placed * ENOUGH_SHARE)
    return {
      ...base,
      code: 'fine',
      severity: 'fine',
      text: `Nothing is wrong: ${used}, and wins ${percent(market.won, market.placed)} of the ${requestsText(market.placed, market.isCounted)} that match it. The market has no more for it.`,
      remedy: null,
    };
  if (Math.max(0, ...adsets.map(({ ranDays }) => ranDays)) < RAN_DAYS_MIN)
    return {
      ...base,
      code: 'budget_use',
      severity: 'advice',
      text: `It has run for less than an hour in this range, and spent ${dollars(spend)}.`,
      remedy: null,
    };
  const reason = mainReason(market, plan !== null && spend < plan * BUDGET_LEFT_SHARE);
  return {
    ...base,
    code: 'budget_use',
    severity: plan === null ? 'advice' : 'limited',
    text: `${capitalised(used)}${reason === null ? '' : `, mainly because ${REASONS[reason](market)}`}. ${marketText(market, spend)}`,
    remedy: reason === null ? null : remedyOf(reason, adsets),
  };
}

/** The planned spend of the ad sets in dollars, by their present budgets; null if one of them has no limit. */
function planOf(facts: CampaignFacts, adsets: readonly AdsetFacts[]): number | null {
  return budgetOfDays(facts, adsets, ({ ranDays }) => ranDays);
}

/** The budget of the ad sets in dollars for the days on which they ran, including the rest of today; null without a limit. */
function budgetOf(facts: CampaignFacts, adsets: readonly AdsetFacts[]): number | null {
  return budgetOfDays(facts, adsets, ({ ranDays }) => Math.ceil(ranDays));
}

function budgetOfDays(
  facts: CampaignFacts,
  adsets: readonly AdsetFacts[],
  daysOf: (adset: AdsetFacts) => number,
): number | null {
  let budget = 0;
  for (const adset of adsets) {
    const daily = dailyPlan(facts, adset);
    if (daily === null) return null;
    budget += Math.min(daily * daysOf(adset), totalPlan(adset));
  }
  return budget;
}

/** The rest of the total budget when the range began; Infinity without one. */
function totalPlan({ totalBudget, spentEver, delivery }: AdsetFacts): number {
  return totalBudget ? Math.max(0, totalBudget - Math.max(0, spentEver - delivery.spend)) : Infinity;
}

function dailyPlan(facts: CampaignFacts, adset: AdsetFacts): number | null {
  if (adset.dailyBudget) return adset.dailyBudget;
  const days = flightDays(flightOf(facts));
  return adset.totalBudget && days !== null ? adset.totalBudget / Math.max(1, days) : null;
}

/** `3.7 % of its budget: $168.51 of $4,550.00`. */
function shareOf(spend: number, plan: number): string {
  return `${precisePercent(Math.min(spend, plan), plan)} of its budget: ${dollars(spend)} of ${dollars(plan)}`;
}

/** The text for a campaign that spends as planned, or more. */
function fullUseText(spend: number, plan: number, budget: number | null): string {
  if (spend <= plan || budget === null) return `uses ${shareOf(spend, plan)}`;
  if (spend >= budget * ALL_SHARE) return `spent ${dollars(spend)}, all of its budget`;
  return `uses ${shareOf(spend, budget)}, ahead of its plan`;
}

function usedText(spend: number, plan: number | null): string {
  if (plan === null) return `it spent ${dollars(spend)}, without a daily budget`;
  return plan === 0
    ? `it spent ${dollars(spend)}, with nothing left of its total budget`
    : `it uses ${shareOf(spend, plan)}`;
}

/** Exits of people whom the audiences of an ad set leave out. */
const AUDIENCE_EXITS: readonly FunnelExit[] = [
  'audience_unknown',
  'audience_excluded',
  'audience_not_included',
  'audience_not_loaded',
];

/** How far requests got, over all ad sets. */
interface MarketFacts {
  /** All that the funnel counts: each request once for each ad set. */
  seen: number;
  /** Says how requests are counted; '' for the only ad set of a campaign. */
  counting: string;
  /** For the system of the app, while the campaign was in its dates. */
  open: number;
  /** Of the target, at any hour. */
  fitting: number;
  inHours: number;
  /** Of people whom the audiences allow, too. */
  matching: number;
  placed: number;
  funded: number;
  aboveFloor: number;
  /** Not those on which other ad sets bid more. */
  chosen: number;
  bids: number;
  won: number;
  impressions: number;
  /** The setting that the bids follow: `price`, or `target CPI of $2.00` if it is the same for all. */
  prices: string;
  /** Whether every request was followed. */
  isCounted: boolean;
}

function marketOf(adsets: readonly AdsetFacts[], all: readonly AdsetFacts[]): MarketFacts {
  // Bids and impressions are counted one by one, so that they passed every step, even if a few sampled requests say
  // otherwise.
  const passed = sumOf(adsets, ({ delivery }) => Math.max(delivery.bids, delivery.impressions));
  const reached = (step: FunnelStep, without = 0) =>
    Math.max(
      passed,
      sumOf(adsets, ({ delivery }) => stepOf(delivery.steps, step)?.requests.value ?? 0) - without,
    );
  const left = (exit: FunnelExit) =>
    sumOf(adsets, ({ delivery }) =>
      sumOf(
        delivery.steps.flatMap(({ exits }) => exits).filter((one) => one.exit === exit),
        ({ requests }) => requests.value,
      ),
    );
  const inHours = reached('targeted') + sumOf(AUDIENCE_EXITS, left);
  return {
    seen: Math.max(
      passed,
      sumOf(adsets, ({ delivery }) => delivery.seen.value),
    ),
    counting: countingText(adsets, all),
    open: reached('open', left('os') + left('campaign_not_running')),
    fitting: inHours + left('out_of_hours'),
    inHours,
    matching: reached('targeted'),
    placed: reached('placed'),
    funded: reached('funded'),
    aboveFloor: reached('above_floor'),
    chosen: reached('chosen'),
    bids: sumOf(adsets, ({ delivery }) => delivery.bids),
    won: sumOf(adsets, ({ delivery }) => Math.max(delivery.wins, delivery.impressions)),
    impressions: sumOf(adsets, ({ delivery }) => delivery.impressions),
    prices: pricesText(adsets),
    isCounted: adsets.every(({ delivery }) => delivery.seen.error === 0),
  };
}

function pricesText(adsets: readonly AdsetFacts[]): string {
  const names = new Set(adsets.map((adset) => priceSetting(adset)?.name ?? 'price'));
  const [name] = names;
  return names.size === 1 && name !== undefined ? name : 'price';
}

/** How the funnel next to the sentence counts; it has all ad sets of the campaign. */
function countingText(adsets: readonly AdsetFacts[], all: readonly AdsetFacts[]): string {
  const seeing = all.filter(({ delivery }) => delivery.seen.value > 0);
  if (seeing.some((one) => !adsets.includes(one))) return ', counted once for each active ad set';
  return seeing.length > 1 ? ', counted once for each ad set' : '';
}

function stepOf(steps: readonly DeliveryStep[], step: FunnelStep): DeliveryStep | undefined {
  return steps.find((one) => one.step === step);
}

type Reason = 'traffic' | 'hours' | 'audiences' | 'creatives' | 'money' | 'price' | 'chosen' | 'win_rate';

/** The share that usually goes on from a stage: targets are chosen and mostly narrow, and other buyers win most bids. */
const USUAL_SHARE: Record<Reason, number> = {
  traffic: 0.05,
  hours: 0.5,
  // Chosen and mostly narrow, as targets are.
  audiences: 0.05,
  creatives: 0.5,
  money: 0.5,
  price: 0.5,
  chosen: 0.5,
  win_rate: 0.2,
};

/**
 * The stage that lets the fewest of its requests pass, compared with its usual share; null where too few requests reached every stage.
 * Where most of the budget is left while bids lose, no larger budget helps.
 */
function mainReason(market: MarketFacts, isBudgetLeft: boolean): Reason | null {
  const { open, fitting, inHours, matching, placed, funded, aboveFloor, chosen, bids, won } = market;
  const stages: [Reason, passing: number, of: number][] = [
    ['traffic', fitting, open],
    ['hours', inHours, fitting],
    ['audiences', matching, inHours],
    ['creatives', placed, matching],
    ['money', funded, placed],
    ['price', aboveFloor, funded],
    ['chosen', chosen, aboveFloor],
    ['win_rate', won, bids],
  ];
  const loses = bids > 0 && won < bids * USUAL_SHARE.win_rate;
  const rated = stages
    .filter(([reason, , of]) => of >= JUDGED_MIN && !(reason === 'money' && isBudgetLeft && loses))
    .map(([reason, passing, of]) => ({ reason, rating: passing / of / USUAL_SHARE[reason] }));
  return rated.toSorted((a, b) => a.rating - b.rating)[0]?.reason ?? null;
}

const REASONS: Record<Reason, (market: MarketFacts) => string> = {
  traffic: ({ fitting, open }) =>
    `only ${percent(fitting, open)} of the bid requests for its system match its targets`,
  hours: ({ inHours, fitting }) =>
    `only ${percent(inHours, fitting)} of the bid requests that match its targets come in its hours`,
  audiences: ({ matching, inHours }) =>
    `only ${percent(matching, inHours)} of the bid requests that match its targets are of people whom its audiences allow`,
  creatives: ({ placed, matching }) =>
    `only ${percent(placed, matching)} of the matching bid requests have a place for its creatives`,
  money: ({ funded, placed }) =>
    `budgets and their pacing let it bid on only ${percent(funded, placed)} of the bid requests that fit it`,
  price: ({ aboveFloor, funded, prices }) =>
    `its ${prices} is high enough for only ${percent(aboveFloor, funded)} of the bid requests that fit it`,
  chosen: ({ chosen, aboveFloor }) =>
    `other ad sets bid more on ${percent(aboveFloor - chosen, aboveFloor)} of the bid requests that it could bid on`,
  win_rate: ({ won, bids }) => `it wins ${won === 0 ? 'none' : `only ${percent(won, bids)}`} of its bids`,
};

/** The numbers behind the reason: traffic, creatives, bids, win rate and price. */
function marketText(market: MarketFacts, spend: number): string {
  const { seen, counting, fitting, inHours, matching, placed, bids, won, impressions, isCounted } = market;
  const requests = (value: number) => requestsText(value, isCounted);
  const cpm = impressions > 0 ? ` at an average CPM of ${dollars((spend / impressions) * 1000)}` : '';
  const rate = bids > 0 ? `, ${inDigits(won)} won (${percent(won, bids)} of the bids sent)${cpm}` : '';
  const narrowed = [
    ...(fitting > inHours ? [`${count(inHours, isCounted)} of them in its hours`] : []),
    ...(inHours > matching ? [`${count(matching, isCounted)} of people whom its audiences allow`] : []),
  ];
  const matched = [
    `${count(fitting, isCounted)} match its targets`,
    ...narrowed.map((text) => `, ${text}`),
    ...(narrowed.length > 0 ? [','] : []),
  ].join('');
  return `Of ${requests(seen)}${counting}, ${matched} and ${count(placed, isCounted)} have a place for its creatives; ${inDigits(bids)} bids${rate}.`;
}

function requestsText(value: number, isCounted: boolean): string {
  return `${count(value, isCounted)} bid ${value === 1 ? 'request' : 'requests'}`;
}

const count = (value: number, isCounted: boolean): string => inWords({ value, error: isCounted ? 0 : 1 });

/** The form that mends the reason, of the ad set with the most left of its budget; all budgets are in several ad sets. */
function remedyOf(reason: Reason, adsets: readonly AdsetFacts[]): Remedy | null {
  const rest = ({ dailyBudget, ranDays, delivery }: AdsetFacts) =>
    (dailyBudget ?? Infinity) * ranDays - delivery.spend;
  const [adset] = adsets.toSorted((a, b) => rest(b) - rest(a));
  if (!adset) return null;
  if (reason === 'traffic') return remedy('Change the target', 'target', adset.target.uuid);
  if (reason === 'audiences') return audienceRemedy(adset, 'include');
  if (reason === 'hours') return remedy('Change the hours', 'adset', adset.uuid, 'hours');
  if (reason === 'creatives') return remedy('Add a creative', 'creatives', adset.appUuid, 'type');
  if (reason === 'money') return moneyRemedy(adset, adsets);
  if (reason === 'win_rate') return settingRemedy(adset, settingOfLostBids(adset));
  return settingRemedy(adset, priceSetting(adset));
}

/** The remedy that gives back the money that most requests lacked; null where only the bidder could. */
function moneyRemedy({ uuid }: AdsetFacts, adsets: readonly AdsetFacts[]): Remedy | null {
  const exits = adsets.flatMap(({ delivery }) => stepOf(delivery.steps, 'funded')?.exits ?? []);
  const sums = new Map<FunnelExit, number>();
  for (const { exit, requests } of exits) addToSum(sums, exit, requests.value);
  const [main] = [...sums].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  if (main === 'balance') return remedy('Add funds', 'finances', null);
  if (main === 'total_budget') return remedy('Change the total budget', 'adset', uuid, 'all_budget_const');
  if (main === 'country_budget') return remedy('Change the daily budget', 'adset', uuid, 'countries');
  if (main === 'no_lease' || main === 'overloaded') return null;
  return remedy('Change the daily budget', 'adset', uuid, 'daily_budget_const');
}

function sumOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
