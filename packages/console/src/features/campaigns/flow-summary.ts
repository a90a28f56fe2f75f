import type { App } from '@bidwell/contract/app';
import type { CampaignStatus } from '@bidwell/contract/campaign';
import { formatDay, formatMoney } from '../../lib/format.ts';
import type { AdsetParts } from './adset-parts.ts';
import { adsetErrors } from './adset-values.ts';
import type { CampaignFlow, FlowAdset } from './flow-values.ts';
import { spendFaults } from './spend-faults.ts';

interface Known {
  app: Pick<App, 'uuid' | 'name' | 'os' | 'status' | 'approved_version'> | undefined;
  parts: AdsetParts;
  /** Dollars. */
  balance: number | undefined;
  /** YYYY-MM-DD. */
  today: string;
  /** Undefined for a new campaign. */
  status: CampaignStatus | undefined;
}

/** Summarises a campaign form in sentences: what will happen, and what is missing for a start. Pure. */
export function flowSummary(flow: CampaignFlow, known: Known): { happens: string[]; misses: string[] } {
  const active = flow.adsets.filter(({ values }) => values.status === 'Active');
  const happens = [
    whatSentence(flow, known),
    ...(active.length > 0 ? [budgetSentence(active)] : []),
    ...active.flatMap((adset) => adsetSentence(adset, known.parts) ?? []),
    known.status === 'Active'
      ? 'The campaign is running: what you save holds at once.'
      : 'It stays paused until you start it.',
  ];
  const unfinished = flow.adsets.filter(({ values }) => Object.keys(adsetErrors(values)).length > 0);
  const misses = [
    ...(flow.name.trim() === '' ? ['Give the campaign a name'] : []),
    ...(flow.app_uuid === '' ? ['Choose the app'] : []),
    ...unfinished.map((adset) => `Fill in “${nameOf(adset, flow)}”`),
    ...spendFaults(flow, {
      app: known.app,
      adsets: flow.adsets.map(({ values }) => ({
        status: values.status,
        creative_groups: values.creative_group_ids.map((uuid) => ({ uuid, name: '' })),
      })),
      groups: unfinished.length > 0 ? undefined : known.parts.groups,
      balance: known.balance,
      today: known.today,
    }).filter((fault) => !fault.startsWith('It starts on')),
  ];
  return { happens, misses };
}

function nameOf(adset: FlowAdset, flow: CampaignFlow): string {
  return adset.values.name.trim() || `Ad set ${flow.adsets.indexOf(adset) + 1}`;
}

function whatSentence({ start_date: start, end_date: end }: CampaignFlow, { app, today }: Known): string {
  const what = app
    ? `Buys installs of ${app.name} (${app.os === 'ios' ? 'iOS' : 'Android'})`
    : 'Buys installs';
  const from = start && start > today ? `from ${formatDay(start)}` : 'from its start';
  return `${what} ${from} ${end ? `until ${formatDay(end)}` : 'until you pause it'}.`;
}

function budgetSentence(active: readonly FlowAdset[]): string {
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

function adsetSentence({ values }: FlowAdset, { targets, groups }: AdsetParts): string | undefined {
  const target = targets.find(({ uuid }) => uuid === values.target_id);
  if (!target || values.algo === null || values.bet_cpm === null) return undefined;
  if (values.algo === 'Target CPI' && !values.bet_cpi) return undefined;
  const names = groups
    .filter(({ uuid }) => values.creative_group_ids.includes(uuid))
    .map(({ name }) => `“${name}”`);
  const price = {
    'Manual CPM': `bids ${formatMoney(values.bet_cpm)} per 1000 impressions`,
    'Target CPI': `aims at ${formatMoney(values.bet_cpi)} per install, at most ${formatMoney(values.bet_cpm)} per 1000 impressions`,
    'Max installs': `spreads its budget over the day, at most ${formatMoney(values.bet_cpm)} per 1000 impressions`,
  }[values.algo];
  const showing =
    names.length > 0 ? `, showing ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and more' : ''}` : '';
  return `“${values.name.trim() || 'The ad set'}” ${price}, to “${target.name}”${showing}.`;
}
