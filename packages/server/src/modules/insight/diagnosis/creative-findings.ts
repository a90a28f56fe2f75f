import {
  CREATIVE_FINDING_CODES,
  type CreativeFinding,
  type CreativeFindingCode,
  type CreativeState,
} from '@bidwell/contract/insight/creative-finding';
import type { Remedy } from '@bidwell/contract/insight/finding';
import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import type { Placement } from '../../../delivery/public.ts';
import { remedy } from './blockers.ts';
import type { CreativeFacts, CreativeUse } from './facts.ts';
import { listed, notApprovedText, percent, quoted, tooLargeText } from './finding-words.ts';

/**
 * The causes that keep a creative from being shown, in general and in each ad set that could show it, or its share of
 * the impressions. Pure.
 */
export function creativeFinding(creative: CreativeFacts): CreativeFinding {
  const { uuid } = creative;
  const blocker = creativeBlocker(creative);
  if (blocker) return { uuid, ...blocker, adsets: [] };
  const adsets = creative.uses
    .filter(({ isActive }) => isActive)
    .map((use) => ({ use, state: withExchanges(stateIn(creative, use), creative) }))
    .toSorted((a, b) => rankOf(b.state) - rankOf(a.state) || b.use.impressions - a.use.impressions);
  return {
    uuid,
    ...adsets[0]!.state,
    adsets: adsets.map(({ use, state }) => ({ ...use.adset, ...state })),
  };
}

/** The state with the exchanges for which the creative is too large, and the ones that have not approved it. */
function withExchanges(state: CreativeState, { tooLargeFor, notApprovedAt }: CreativeFacts): CreativeState {
  if (tooLargeFor.length === 0 && notApprovedAt.length === 0) return state;
  const severity = state.severity === 'fine' ? 'limited' : state.severity;
  const texts = [
    state.text,
    ...(tooLargeFor.length > 0 ? [tooLargeText('This creative', tooLargeFor)] : []),
    ...(notApprovedAt.length > 0 ? [notApprovedText('this creative', notApprovedAt)] : []),
  ];
  return { ...state, severity, text: texts.join(' ') };
}

const rankOf = ({ code }: CreativeState): number => CREATIVE_FINDING_CODES.indexOf(code);

/** The cause that keeps a creative from being shown in any ad set; null if one could show it. */
function creativeBlocker(creative: CreativeFacts): CreativeState | null {
  const { review, rejectionReason: reason, groups, uses } = creative;
  if (review === 'Rejected')
    return blocked('creative_rejected', reason ? `It was rejected: ${reason}` : 'It was rejected.');
  if (review === 'Moderation')
    return blocked('creative_in_review', 'It is in moderation, and not shown until it is approved.');
  if (groups.length === 0) return blocked('no_group', 'It is in no creative group.');
  return groups.some(({ state }) => state === 'running') ? useBlocker(uses, creative) : groupBlocker(groups);
}

function groupBlocker(groups: CreativeFacts['groups']): CreativeState {
  const paused = groups.find(({ state }) => state === 'paused');
  const [group] = paused ? [paused] : groups;
  const { uuid, name } = group!;
  const action = remedy('Open the creative group', 'creative_group', uuid);
  return paused
    ? blocked('group_paused', `Its creative group ${quoted(name)} is paused.`, action)
    : blocked('group_archived', `Its creative group ${quoted(name)} is archived.`, action);
}

function useBlocker(
  uses: CreativeFacts['uses'],
  { groups, appName }: Pick<CreativeFacts, 'groups' | 'appName'>,
): CreativeState | null {
  if (uses.some(({ isActive }) => isActive)) return null;
  const [use] = uses;
  if (!use) {
    const names = groups.filter(({ state }) => state === 'running').map(({ name }) => name);
    return blocked(
      'no_adset',
      `No ad set for ${quoted(appName)} uses its creative group ${listed(names.slice(0, 3).map(quoted))}.`,
    );
  }
  const { adset, campaign } = use;
  return blocked(
    'adsets_not_running',
    uses.length > 1
      ? `None of the ${uses.length} ad sets that use it runs: they or their campaigns are paused or outside their dates.`
      : campaign
        ? `The ad set ${quoted(adset.name)}, which uses it, or its campaign ${quoted(campaign.name)} is paused or outside its dates.`
        : `The ad set ${quoted(adset.name)}, which uses it, is in no campaign.`,
    remedy(`Open ${quoted(adset.name)}`, 'adset', adset.uuid),
  );
}

/** The state of an approved creative in an active ad set. */
function stateIn(creative: CreativeFacts, use: CreativeUse): CreativeState {
  const { adset, campaign, impressions, adsetImpressions, placement } = use;
  const delivery = campaign && remedy(`Delivery of ${quoted(campaign.name)}`, 'delivery', campaign.uuid);
  const state = (code: CreativeFindingCode, text: string, action: Remedy | null = null): CreativeState => ({
    code,
    severity: code === 'shown' ? 'fine' : 'limited',
    text,
    remedy: action,
    placement: placement && presentPlacement(placement),
  });
  if (!use.isBidding)
    return blocked(
      'adset_not_bidding',
      `The ad set ${quoted(adset.name)} does not bid at present.`,
      delivery,
    );
  if (!use.isServed)
    return creative.type === 'Native'
      ? blocked(
          'texts_missing',
          'It needs an approved title and sponsor, its own or those of its creative group.',
        )
      : blocked('adset_not_bidding', `The ad set ${quoted(adset.name)} does not have it yet.`, delivery);
  if (impressions > 0)
    return state(
      'shown',
      `It has ${percent(impressions, adsetImpressions)} of the impressions of ${quoted(adset.name)}.`,
    );
  if (!placement)
    return state('not_shown', `It had no impressions of ${quoted(adset.name)} in this range.`, delivery);
  if (placement.requests === 0)
    return state(
      'no_requests',
      `None of the newest bid requests fits the target of ${quoted(adset.name)}.`,
      delivery,
    );
  if (placement.fitting === 0) return state('no_placement', ...placeSaid(creative, use, placement));
  const places = `${percent(placement.fitting, placement.requests)} of the newest bid requests that ${quoted(adset.name)} targets have a place for it`;
  return adsetImpressions > 0
    ? state('others_shown', `${places}, but other creatives were shown${leaderText(use)}.`)
    : state(
        'adset_not_shown',
        `${places}, but ${quoted(adset.name)} had no impressions in this range.`,
        delivery,
      );
}

/** `: most often Harbor, with 92 % of the impressions`. */
function leaderText({ leader, adsetImpressions }: CreativeUse): string {
  return leader
    ? `: most often ${quoted(leader.name)}, with ${percent(leader.impressions, adsetImpressions)} of the impressions`
    : '';
}

/** Why no request has a place for a creative, by the most frequent reason. */
function placeSaid(
  { type, size, appUuid }: CreativeFacts,
  { adset }: CreativeUse,
  placement: Placement,
): [text: string, action: Remedy | null] {
  const [most] = exitsOf(placement);
  const exit = most!.exit;
  const words = EXIT_WORDS[exit] ?? 'do not take it';
  const requested = placement.asked[exit]?.slice(0, 3).map(({ value }) => value) ?? [];
  const own = size === '' ? type.toLowerCase() : `${type.toLowerCase()} of ${size}`;
  const example = requested.length > 0 ? ` (most often ${listed(requested)})` : '';
  const isAddable = exit === 'no_matching_size' || exit === 'no_matching_format';
  return [
    `None of the newest bid requests that ${quoted(adset.name)} targets has a place for this ${own}: ${percent(most!.requests, placement.requests)} ${words}${example}.`,
    isAddable
      ? remedy('Add a creative', 'creatives', appUuid, 'type', exit === 'no_matching_size' ? type : null)
      : null,
  ];
}

/** Reasons in bid requests. */
const EXIT_WORDS: Partial<Record<FunnelExit, string>> = {
  private_auction: 'are for private auctions',
  seat_not_allowed: 'are not open to this seat',
  not_secure: 'require https',
  currency: 'have a floor in a currency without a rate',
  floor_unreadable: 'have a floor that cannot be read',
  no_matching_format: 'ask for another format',
  no_matching_size: 'ask for another size',
  blocked_ad_type: 'block its type of ad',
  blocked_attribute: 'block one of its attributes',
  not_linear: 'take overlay videos only',
  api_not_accepted: 'do not support playables',
  protocol_not_accepted: 'do not support its version of VAST',
  delivery_not_accepted: 'do not take its delivery of videos',
  mime_not_accepted: 'do not take its file type',
  video_duration: 'take only shorter or only longer videos',
  video_bitrate: 'take only videos of another bit rate',
  video_orientation: 'take only videos of another orientation',
  native_assets: 'require native assets that it does not have',
  rewarded: 'take rewarded ads only',
  creative_not_approved: 'are of exchanges that have not approved it',
  blocked_app: 'block the app',
  blocked_advertiser: 'block the advertiser',
  blocked_category: 'block the category of the app',
};

function presentPlacement(placement: Placement): CreativeState['placement'] {
  const { requests, fitting } = placement;
  return { requests, fitting, exits: exitsOf(placement) };
}

/** The reasons of a placement, the most frequent first. */
function exitsOf({ exits }: Placement): { exit: FunnelExit; requests: number }[] {
  return Object.entries(exits)
    .map(([exit, requests]) => ({ exit: exit as FunnelExit, requests }))
    .toSorted((a, b) => b.requests - a.requests);
}

function blocked(code: CreativeFindingCode, text: string, action: Remedy | null = null): CreativeState {
  return { code, severity: 'blocked', text, remedy: action, placement: null };
}
