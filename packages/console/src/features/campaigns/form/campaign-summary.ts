import { missingGoal } from '@bidwell/contract/adsets/missing-goal';
import { exceeded, sumOf } from '@bidwell/contract/approvals/budgets';
import { dimensionName } from '@bidwell/contract/adsets/multipliers';
import { type FrequencyCap, capsError, capsText } from '@bidwell/contract/frequency/caps';
import { hoursWords } from '@bidwell/contract/adsets/hours';
import type { ApprovalLimits } from '@bidwell/contract/approvals/schema';
import type { App } from '@bidwell/contract/apps/schema';
import { MAX_DOLLARS, toDollars, toMicros } from '@bidwell/contract/lib/money';
import type { CreativeGroup } from '@bidwell/contract/creative-groups/schema';
import type { Target } from '@bidwell/contract/targets/schema';
import type { CampaignStatus } from '@bidwell/contract/campaigns/schema';
import { flightText, startsLater } from '@bidwell/contract/campaigns/flight';
import { formatMoney, formatNumber } from '../../../lib/format/format.ts';
import { highestPrice } from '../../../entities/campaigns/highest-price.ts';
import { osNames } from '../../../lib/format/os-names.ts';
import type { CampaignFormValues, AdsetFormItem } from './campaign-form-values.ts';

interface SummaryContext {
  app: Pick<App, 'name' | 'os'> | undefined;
  /** Undefined while they are not known. */
  targets: readonly Target[] | undefined;
  groups: readonly CreativeGroup[] | undefined;
  /** Above which budgets a second person has to approve; undefined while they are not known. */
  approvalLimits: ApprovalLimits | undefined;
  /** The company's date and time, YYYY-MM-DD HH:MM. */
  now: string;
  /** Undefined for a new campaign. */
  status: CampaignStatus | undefined;
}

/** Says in sentences what a campaign of these values will do. Pure. */
export function campaignSummary(campaign: CampaignFormValues, context: SummaryContext): string[] {
  const active = campaign.adsets.filter(({ values }) => values.status === 'Active');
  const approval = context.approvalLimits && approvalSentence(active, context.approvalLimits);
  return [
    whatSentence(campaign, context),
    ...(active.length > 0 ? [budgetSentence(active)] : []),
    ...active.flatMap((adset) => adsetSentence(adset, context) ?? []),
    ...capsSentence(campaign),
    ...(approval ? [approval] : []),
    context.status === 'Active'
      ? 'The campaign is running: changes take effect as soon as you save.'
      : campaign.start_when_approved
        ? 'It starts by itself once everything is approved.'
        : 'It stays paused until you start it.',
  ];
}

function capsSentence({ frequency_caps: caps }: CampaignFormValues): string[] {
  if (caps.length === 0 || capsError(caps) !== null) return [];
  return [`Impressions to one person: ${capsText(sortedCaps(caps))}.`];
}

const sortedCaps = (caps: readonly FrequencyCap[]) => caps.toSorted((a, b) => a.minutes - b.minutes);

function whatSentence(flight: CampaignFormValues, { app, now }: SummaryContext): string {
  const { kind, start_date: start, start_time: from, end_date: end, end_time: until } = flight;
  const [what, of] = kind === 're_engagement' ? ['Brings people back', 'to'] : ['Buys installs', 'of'];
  const whatOfApp = app ? `${what} ${of} ${app.name} (${osNames[app.os]})` : what;
  const first =
    start !== null && startsLater(flight, now) ? `from ${flightText(start, from)}` : 'from its start';
  return `${whatOfApp} ${first} ${end ? `until ${flightText(end, until)}` : 'until you pause it'}.`;
}

function budgetSentence(active: readonly AdsetFormItem[]): string {
  const count = active.length === 1 ? 'One ad set spends' : `${active.length} ad sets spend`;
  if (active.some(({ values }) => !values.daily_budget_const)) {
    const unlimited = active.every(({ values }) => !values.daily_budget_const && !values.all_budget_const);
    return unlimited
      ? `${count} without a budget: only your balance is the limit.`
      : `${count}; without a daily budget in each, a day has no limit of its own.`;
  }
  const sum = active.reduce((total, { values }) => total + (values.daily_budget_const ?? 0), 0);
  return `${count} at most ${formatMoney(sum)} a day${active.length === 1 ? '' : ' together'}.`;
}

function adsetSentence({ values }: AdsetFormItem, { targets, groups }: SummaryContext): string | undefined {
  const target = targets?.find(({ uuid }) => uuid === values.target_id);
  if (!target || values.algo === null || values.bet_cpm === null) return undefined;
  if (missingGoal(values) !== null) return undefined;
  if (!groups) return undefined;
  const names = groups
    .filter(({ uuid }) => values.creative_group_ids.includes(uuid))
    .map(({ name }) => `“${name}”`);
  const highest = highestPrice(values, values.bet_cpm);
  const atMost = `at most ${formatMoney(highest)} per 1000 impressions`;
  const bid = `bids ${formatMoney(values.bet_cpm)} per 1000 impressions`;
  const price = {
    'Manual CPM': highest > values.bet_cpm ? `${bid}, at most ${formatMoney(highest)}` : bid,
    'Target CPI': `aims at ${formatMoney(values.bet_cpi)} per install, ${atMost}`,
    'Target CPA': `aims at ${formatMoney(values.cpa)} per person with “${values.goal_event}”, ${atMost}`,
    'Target ROAS': `aims at a revenue of ${values.roas}% of its spend, ${atMost}`,
    'Max installs': `spreads its budget over the day, ${atMost}`,
  }[values.algo];
  const showing =
    names.length > 0 ? `, showing ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and more' : ''}` : '';
  const hours = values.hours ? `, ${hoursWords(values.hours, values.hours_zone)}` : '';
  const further = furtherSettings(values);
  return `“${values.name.trim() || 'The ad set'}” ${price}, to “${target.name}”${showing}${hours}.${further.length > 0 ? ` It has ${joined(further)}.` : ''}`;
}

/** The caps, audiences, multipliers, and bids and budgets by country of an ad set, each in a few words. */
function furtherSettings(values: AdsetFormItem['values']): string[] {
  const { frequency_caps: caps, audience_include: groups, audience_exclude: excluded, countries } = values;
  const included = groups.filter((group) => group.length > 0);
  const multiplied = new Set(
    values.bid_multipliers.flatMap(({ dimension, value }) => (value === '' ? [] : [dimension])),
  );
  const bids = countries.filter(({ bet_cpm: cpm, bet_cpi: cpi }) => cpm !== null || cpi !== null);
  const budgets = countries.filter(({ daily_budget: budget }) => budget);
  return [
    ...(caps.length > 0 && capsError(caps) === null
      ? [`${caps.length === 1 ? 'a frequency cap' : 'frequency caps'} (${capsText(sortedCaps(caps))})`]
      : []),
    ...(included.length > 0 ? [`${audiences(included.flat().length)} to include`] : []),
    ...(excluded.length > 0 ? [`${audiences(excluded.length)} to leave out`] : []),
    ...(multiplied.size > 0
      ? [`bid multipliers by ${joined([...multiplied].map((of) => dimensionName(of).toLowerCase()))}`]
      : []),
    ...(bids.length > 0 ? [`bids of its own for ${countriesText(bids)}`] : []),
    ...(budgets.length > 0
      ? [`${budgets.length === 1 ? 'a daily budget' : 'daily budgets'} for ${countriesText(budgets)}`]
      : []),
  ];
}

const audiences = (count: number): string =>
  count === 1 ? 'an audience' : `${formatNumber(count)} audiences`;

/** Countries that a sentence names. */
const COUNTRIES_NAMED = 4;

function countriesText(countries: readonly { country: string }[]): string {
  const named = countries.slice(0, COUNTRIES_NAMED).map(({ country }) => country.toUpperCase());
  const others = countries.length - named.length;
  return joined(others > 0 ? [...named, `${formatNumber(others)} more`] : named);
}

/** `a, b and c` */
const joined = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;

/** A sentence that a second person has to approve the budgets of ad sets that will run; null if the limits are not exceeded. */
function approvalSentence(
  active: readonly AdsetFormItem[],
  { daily_budget_above: daily, total_budget_above: total }: ApprovalLimits,
): string | null {
  // The server decides: it also knows earlier approvals.
  const budgets = active.map(({ values: { daily_budget_const, all_budget_const } }) => ({
    daily_budget_micros: microsOf(daily_budget_const),
    all_budget_micros: microsOf(all_budget_const),
  }));
  const limit =
    budgets.length > 0 &&
    exceeded(sumOf(budgets), {
      approval_daily_micros: daily === null ? null : toMicros(daily),
      approval_total_micros: total === null ? null : toMicros(total),
    });
  if (!limit) return null;
  const amount = `${formatMoney(toDollars(limit.micros))} ${limit.of === 'day' ? 'a day' : 'in total'}`;
  return `A second person has to approve it: the budgets are above ${amount}.`;
}

/** Empty and 0 are unlimited. A form may have more than an amount can be. */
const microsOf = (dollars: number | null): number | null =>
  dollars ? toMicros(Math.min(dollars, MAX_DOLLARS)) : null;
