import type { GoalField } from '@bidwell/contract/adsets/missing-goal';
import { type Flight, flightText, hasEnded, startsLater } from '@bidwell/contract/campaigns/flight';
import type { Finding, FindingCode, Remedy } from '@bidwell/contract/insight/finding';
import type { AdsetFacts, CampaignFacts, UnreachableAudiences } from './facts.ts';
import { listed, quoted } from './finding-words.ts';

type Screen = Remedy['screen'];

/** A button that opens a form, or null where the advertiser can do nothing. */
export function remedy(
  label: string,
  screen: Screen,
  uuid: string | null,
  field: string | null = null,
  value: string | number | null = null,
): Remedy {
  return { label, screen, uuid, field, value };
}

function blocked(
  code: FindingCode,
  text: string,
  action: Remedy | null,
  adset: AdsetFacts | null = null,
): Finding {
  return {
    code,
    severity: 'blocked',
    adset: adset && { uuid: adset.uuid, name: adset.name },
    text,
    lost: null,
    remedy: action,
  };
}

/** The flight of a campaign. */
export const flightOf = ({ startDate, startTime, endDate, endTime }: CampaignFacts): Flight => ({
  start_date: startDate,
  start_time: startTime,
  end_date: endDate,
  end_time: endTime,
});

/** The causes that keep a whole campaign from buying anything, in the order in which they have to be removed. */
export function campaignBlockers(facts: CampaignFacts): Finding[] {
  const { uuid, app, startDate, endDate, adsets } = facts;
  const flight = flightOf(facts);
  const now = `${facts.today} ${facts.time}`;
  const found: Finding[] = [];
  if (facts.isSuspended)
    found.push(blocked('suspended', 'The company is suspended: its campaigns do not run.', null));
  if (endDate !== null && hasEnded(flight, now))
    found.push(
      blocked(
        'ended',
        `The campaign ended on ${flightText(endDate, facts.endTime)}.`,
        remedy('Change the end date', 'campaign', uuid, 'end_date'),
      ),
    );
  if (!facts.isActive)
    found.push(
      blocked('campaign_paused', 'The campaign is paused.', remedy('Open the campaign', 'campaign', uuid)),
    );
  if (startDate !== null && startsLater(flight, now))
    found.push(
      blocked(
        'not_started',
        `The campaign starts on ${flightText(startDate, facts.startTime)}.`,
        remedy('Change the start date', 'campaign', uuid, 'start_date'),
      ),
    );
  if (app.review === 'Rejected')
    found.push(
      blocked(
        'app_rejected',
        `The app ${quoted(app.name)} was rejected.`,
        remedy('Change the app', 'app', app.uuid),
      ),
    );
  if (app.review === 'Moderation')
    found.push(blocked('app_in_review', `The app ${quoted(app.name)} is in moderation.`, null));
  if (facts.available <= 0)
    found.push(
      blocked(
        'balance',
        'The balance is used up: nothing can be bought.',
        remedy('Add funds', 'finances', null),
      ),
    );
  if (facts.isBiddingStopped)
    found.push(blocked('bidding_stopped', 'The operator has stopped all bidding for now.', null));
  if (facts.exchanges === 0)
    found.push(
      blocked('exchange_off', 'No exchange is connected or turned on: no bid requests arrive.', null),
    );
  if (adsets.length === 0)
    found.push(
      blocked('no_adset', 'The campaign has no ad set.', remedy('Add an ad set', 'campaign', uuid, 'adsets')),
    );
  else if (adsets.every(({ isActive }) => !isActive))
    found.push(
      blocked(
        'adsets_paused',
        'All ad sets are paused.',
        remedy('Open the ad set', 'adset', adsets[0]!.uuid),
      ),
    );
  return found;
}

const goalNames: Readonly<Record<GoalField, string>> = {
  bet_cpi: 'target CPI',
  goal_event: 'goal event',
  cpa: 'target CPA',
  roas: 'target ROAS',
};

/** The causes that keep an active ad set from buying anything. */
export function adsetBlockers(adset: AdsetFacts): Finding[] {
  const { uuid, name, creatives, link, totalBudget, spentEver } = adset;
  const found: Finding[] = [];
  if (adset.missingGoal !== null)
    found.push(
      blocked(
        'price_missing',
        `${quoted(name)} bids by a ${goalNames[adset.missingGoal]} but has none: it does not bid.`,
        remedy(`Enter the ${goalNames[adset.missingGoal]}`, 'adset', uuid, adset.missingGoal),
        adset,
      ),
    );
  if (adset.lacksAudience)
    found.push(
      blocked(
        'audience_missing',
        `${quoted(name)} is part of a re-engagement campaign and includes no audience: it does not bid.`,
        remedy('Choose an audience', 'adset', uuid, 'audience_include'),
        adset,
      ),
    );
  if (adset.unreachable) found.push(audienceBlocker(adset, adset.unreachable));
  if (!creatives.includes('Approved')) found.push(creativeBlocker(adset));
  if (link.review !== 'Approved') {
    const isRejected = link.review === 'Rejected';
    found.push(
      blocked(
        isRejected ? 'tracking_link_rejected' : 'tracking_link_in_review',
        isRejected
          ? `The tracking link ${quoted(link.name)} of ${quoted(name)} was rejected.`
          : `The tracking link ${quoted(link.name)} of ${quoted(name)} is in moderation.`,
        isRejected ? remedy('Change the tracking link', 'tracking_link', link.uuid) : null,
        adset,
      ),
    );
  }
  if (totalBudget !== null && totalBudget > 0 && spentEver >= totalBudget * SPENT_SHARE)
    found.push(
      blocked(
        'total_budget_spent',
        `The total budget of ${quoted(name)} is spent.`,
        remedy('Change the total budget', 'adset', uuid, 'all_budget_const'),
        adset,
      ),
    );
  return found;
}

/** The included audiences that let no bid through, and where they are chosen. */
function audienceBlocker(
  adset: AdsetFacts,
  { because, names, includedBy, excludedBy }: UnreachableAudiences,
): Finding {
  const { uuid, name, target } = adset;
  const audiences = listed(names.map(quoted));
  const isOne = names.length === 1;
  const includes = `${includedBy === 'target' ? 'the target of ' : ''}${quoted(name)} includes`;
  const change = (by: 'adset' | 'target', list: 'include' | 'exclude') =>
    remedy('Change the audiences', by, by === 'adset' ? uuid : target.uuid, `audience_${list}`);
  if (because === 'empty')
    return blocked(
      'audience_empty',
      isOne
        ? `${audiences} has no people yet, and ${includes} it: the ad set makes no bids. Fill the audience, or choose another one.`
        : `${audiences} have no people yet, and ${includes} them: the ad set makes no bids. Fill one of them, or choose others.`,
      change(includedBy, 'include'),
      adset,
    );
  const excludes =
    because === 'installed'
      ? `${includedBy === 'target' ? 'the ad set ' : ''}leaves out people who have the app`
      : `${excludedBy === 'target' ? (includedBy === 'target' ? 'the target' : 'its target') : 'the ad set'} leaves ${isOne ? 'it' : 'them'} out, too`;
  return blocked(
    'audience_contradiction',
    `${capitalised(includes)} ${audiences}, and ${excludes}: the ad set makes no bids.`,
    because === 'installed'
      ? remedy('Change the ad set', 'adset', uuid, 'exclude_installed')
      : includedBy === 'adset'
        ? change('adset', 'include')
        : change(excludedBy, 'exclude'),
    adset,
  );
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Share of a budget from which it counts as spent: less than one impression may be left. */
const SPENT_SHARE = 0.999;

function creativeBlocker(adset: AdsetFacts): Finding {
  const { uuid, creatives } = adset;
  const name = quoted(adset.name);
  if (creatives.includes('Moderation')) {
    const text = `The creatives of ${name} are in moderation.`;
    return blocked('creative_in_review', text, null, adset);
  }
  if (creatives.includes('Rejected')) {
    const text = `All creatives of ${name} were rejected.`;
    return blocked('creative_rejected', text, remedy('Open the creatives', 'creatives', null), adset);
  }
  const text = `The creative groups of ${name} have no creative that can run.`;
  return blocked(
    'no_creative',
    text,
    remedy('Change the creative groups', 'adset', uuid, 'creative_groups'),
    adset,
  );
}
