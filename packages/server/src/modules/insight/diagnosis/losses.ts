import type { AdsetDelivery, LossesByCode, MinToWin } from '@bidwell/contract/insight/delivery-report';
import type { Estimate } from '@bidwell/contract/insight/estimate';
import type { Finding, FindingCode, Remedy } from '@bidwell/contract/insight/finding';
import { capsText } from '@bidwell/contract/frequency/caps';
import { type FunnelExit, exitWords } from '@bidwell/contract/text/no-bid-reasons';
import { FUNNEL_EXITS, stepOf } from '@bidwell/contract/insight/funnel';
import { remedy } from './blockers.ts';
import type { AdsetFacts, Loss } from './facts.ts';
import {
  JUDGED_MIN,
  countryName,
  counted,
  inWords,
  listed,
  percent,
  quoted,
  dollars,
  inCents,
  inDigits,
  notApprovedText,
  tooLargeText,
} from './finding-words.ts';
import { priceSetting, settingRemedy, type PriceSetting, settingOfLostBids } from './price-setting.ts';
import { OWN_LOSS_CODES, lossReason } from '@bidwell/contract/bid-log/loss-reasons';
import { toDollars } from '@bidwell/contract/lib/money';

/** Passing shares below which a step is a finding: targeting is chosen and mostly narrow; hours, money and places are not. */
const NARROW_SHARE = 0.02;
const STEP_SHARE = 0.5;
/** Frequency caps and budgets of countries are chosen too, but what they cost is not seen where they are set. */
const UNCAPPED_SHARE = 0.9;
/** By which a share has to exceed its threshold before a finding goes away again: figures change with each request. */
const HYSTERESIS = 1.2;

/** The causes by which an ad set that may bid loses requests. */
export function lossesOf(adset: AdsetFacts): Loss[] {
  const losses: Loss[] = [];
  const { bids, impressions, seen } = adset.delivery;
  // These are counted one by one, so they passed every step, even if a few sampled requests say otherwise.
  const passed = Math.max(bids, impressions);
  let left = seen.value;
  for (const [index, { exits }] of adset.delivery.steps.entries()) {
    const entered = left;
    // In the order in which a request reaches them: each takes its share of the remaining requests.
    for (const { exit, requests } of exits.toSorted(
      (a, b) => FUNNEL_EXITS.indexOf(a.exit) - FUNNEL_EXITS.indexOf(b.exit),
    )) {
      const passing = Math.max(left - requests.value, passed) / Math.max(1, left);
      if (passing < thresholdOf(exit) * (adset.before.has(exit) ? HYSTERESIS : 1)) {
        const reached = OF_PASSED.has(exit) ? left : entered;
        const finding = findingOf(adset, exit, requests, { reached, entered });
        if (finding)
          losses.push({ cause: exit, finding, bids: requests.value * chanceAfter(adset.delivery, index) });
      }
      left -= requests.value;
    }
  }
  const unwon = unwonFinding(adset);
  return unwon ? [...losses, unwon] : losses;
}

/** An exit that lets less than this share of its requests go on is a finding. */
function thresholdOf(exit: FunnelExit): number {
  // The app runs on one system only.
  if (exit === 'os' || exit === 'campaign_not_running') return 0;
  if (stepOf(exit) === 'uncapped' || exit === 'country_budget') return UNCAPPED_SHARE;
  if (exit === 'out_of_hours') return STEP_SHARE;
  return stepOf(exit) === 'targeted' ? NARROW_SHARE : STEP_SHARE;
}

/** The share of requests that would have become bids after a step; 1 where no request came so far. */
function chanceAfter({ steps }: AdsetDelivery, index: number): number {
  const from = steps[index]!.requests.value;
  return from > 0 ? Math.max(steps.at(-1)!.requests.value / from, 1 / from) : 1;
}

const CODES: Partial<Record<FunnelExit, FindingCode>> = {
  country: 'country',
  region: 'region',
  city: 'city',
  postal_code: 'postal_code',
  radius: 'radius',
  exchange: 'exchange',
  device_type: 'device_type',
  os_version: 'os_version',
  device_model: 'device_model',
  connection_type: 'connection_type',
  carrier: 'carrier',
  device_id: 'device_id',
  placement_kind: 'placement_kind',
  language: 'language',
  genre: 'genre',
  bundle_black_listed: 'blocklist',
  bundle_not_white_listed: 'allowlist',
  out_of_hours: 'hours',
  audience_unknown: 'audience',
  audience_excluded: 'audience',
  audience_not_included: 'audience',
  audience_not_loaded: 'audience',
  no_matching_size: 'size_missing',
  no_matching_format: 'format_missing',
  insecure_address: 'insecure_address',
  blocked_app: 'advertiser_blocked',
  blocked_advertiser: 'advertiser_blocked',
  blocked_category: 'advertiser_blocked',
  category_not_allowed: 'advertiser_blocked',
  capped: 'capped',
  no_person_key: 'no_person_key',
  country_budget: 'country_budget',
  daily_budget: 'daily_budget',
  total_budget: 'total_budget_spent',
  balance: 'balance',
  pacing: 'pacing',
  no_lease: 'no_lease',
  overloaded: 'no_lease',
  floor: 'floor',
  outbid: 'outbid',
  timeout: 'late',
  answer_too_long: 'creative_refused',
  markup_failed: 'creative_refused',
};

/**
 * `entered` requests reached the step; the funnel next to the sentence shows the same share of them. Of {@link OF_PASSED} the share is of the
 * `reached` ones alone, and the sentence says so.
 */
function findingOf(
  adset: AdsetFacts,
  exit: FunnelExit,
  requests: Estimate,
  { reached, entered }: { reached: number; entered: number },
): Finding | null {
  const code = CODES[exit] ?? (stepOf(exit) === 'placed' ? 'creative_refused' : null);
  if (code === null) return null;
  const explanation =
    reached < JUDGED_MIN && stepOf(exit) !== 'funded'
      ? fewExplanation(adset, exit, { requests, entered: reached })
      : explanationOf(adset, exit, {
          requests,
          share: percent(requests.value, reached),
          isPart: reached < entered,
        });
  const by = exit === 'outbid' ? adset.delivery.outbid_by[0] : undefined;
  return {
    code: by ? 'outbid_by_own' : code,
    severity: 'limited',
    adset: { uuid: adset.uuid, name: adset.name },
    text: explanation.text,
    lost: requests,
    remedy: explanation.remedy,
  };
}

/**
 * Checks of the target that mean something only for requests that passed the checks before: a share of all requests would be small where
 * another check took most of them away, although nothing passed this one.
 */
const OF_PASSED: ReadonlySet<FunnelExit> = new Set([
  'region',
  'city',
  'postal_code',
  'radius',
  'out_of_hours',
  'audience_unknown',
  'audience_excluded',
  'audience_not_included',
  'audience_not_loaded',
]);

/** Share of the requests under the floor that a suggested price reaches. */
const REACHED_SHARE = 0.8;

interface Explanation {
  text: string;
  remedy: Remedy | null;
}

/** Why the floors of a share of the requests are too high for an ad set, and which setting would reach them. */
function floorExplanation(adset: AdsetFacts, share: string): Explanation {
  const setting = priceSetting(adset);
  const below = adset.market?.belowFloor;
  const reachable = below ? sumOf(below.factors) : 0;
  // Where most floors are above the CPM bid, no other setting reaches them.
  const isCapped = below !== undefined && below.capped > reachable;
  if (setting && !isCapped) return settingExplanation(adset, setting, share);
  const bid = `${dollars(adset.betCpm)} of ${quoted(adset.name)}`;
  const floors = `below the floor of ${share} of the requests${countryText(adset)}.`;
  return setting
    ? withOffer(adset, `The CPM bid of ${bid}, which none of its bids exceeds, is ${floors}`)
    : withOffer(adset, `The bid of ${bid} is ${floors}`);
}

function settingExplanation(adset: AdsetFacts, setting: PriceSetting, share: string): Explanation {
  const text = `By its ${setting.name}, an impression is worth less to ${quoted(adset.name)} than the floor of ${share} of the requests${countryText(adset)}.`;
  const offer = adset.market && sufficient(adset.market.belowFloor.factors);
  const raised = offer && setting.raised(offer.of.factor);
  const all = adset.market ? sumOf(adset.market.belowFloor.factors) + adset.market.belowFloor.capped : 0;
  const advice = raised
    ? ` At a ${setting.noun} of about ${raised.text} it would compete for ${percent(offer.requests, all)} of them.`
    : '';
  return {
    text: `${text}${advice}${setting.note}`,
    remedy: settingRemedy(adset, setting, offer?.of.factor ?? null),
  };
}

function withOffer(adset: AdsetFacts, text: string): Explanation {
  const { uuid, betCpm, market } = adset;
  const floors = (market?.floors ?? [])
    .flatMap((country) => country.floors)
    .filter(({ cpmMicros }) => toDollars(cpmMicros) > betCpm)
    .toSorted((a, b) => a.cpmMicros - b.cpmMicros);
  const offer = sufficient(floors);
  if (!offer) return { text, remedy: remedy('Change the bid', 'adset', uuid, 'bet_cpm') };
  const bid = inCents(toDollars(offer.of.cpmMicros));
  return {
    text: `${text} At ${dollars(bid)} it would compete for ${percent(offer.requests, sumOf(floors))} of them.`,
    remedy: remedy(`Set the bid to ${dollars(bid)}`, 'adset', uuid, 'bet_cpm', bid),
  };
}

/**
 * The first entry of a list sorted by price that reaches most of the requests, and how many it reaches; null for none.
 */
function sufficient<Price extends { requests: number }>(
  prices: readonly Price[],
): { of: Price; requests: number } | null {
  const all = sumOf(prices);
  let requests = 0;
  for (const of of prices) {
    requests += of.requests;
    if (requests >= all * REACHED_SHARE) return { of, requests };
  }
  return null;
}

/** ` in Germany` where all these requests are of one country. */
function countryText({ market }: AdsetFacts): string {
  const [country] = market?.floors ?? [];
  return country && country.country !== '' && market?.floors.length === 1
    ? ` in ${countryName(country.country)}`
    : '';
}

function sumOf(prices: readonly { requests: number }[]): number {
  return prices.reduce((sum, { requests }) => sum + requests, 0);
}

/** Without a share and advice. A budget that is used up is known from one request. */
function fewExplanation(
  { name }: AdsetFacts,
  exit: FunnelExit,
  { requests, entered }: { requests: Estimate; entered: number },
): Explanation {
  const all = { value: entered, error: requests.error };
  const number = `${inWords(all)} bid ${counted(all, 'request')}`;
  return {
    text: `${number} so far for ${quoted(name)}: too few to judge. Lost, ${exitWords(exit)}: ${inWords(requests)}.`,
    remedy: null,
  };
}

interface Lost {
  requests: Estimate;
  /** Of the requests that reached the check. */
  share: string;
  /** Whether earlier checks of the step took requests away. */
  isPart: boolean;
}

/** The sentence and the button for an exit. */
function explanationOf(adset: AdsetFacts, exit: FunnelExit, lost: Lost): Explanation {
  const { uuid, ownAudiences } = adset;
  const name = quoted(adset.name);
  const { share, requests } = lost;
  const number = `${inWords(requests)} bid ${counted(requests, 'request')}`;
  switch (exit) {
    case 'floor':
      return floorExplanation(adset, share);
    case 'outbid':
      return outbidExplanation(adset, lost);
    // The budget may have been different when the requests arrived, so its amount is not stated.
    case 'daily_budget':
      return {
        text: `The daily budget of ${name} was used up for ${share} of the requests that fit it.`,
        remedy: remedy('Change the daily budget', 'adset', uuid, 'daily_budget_const'),
      };
    case 'country_budget':
      return {
        text: `The daily budget of ${name} ${usedUpCountries(adset)} was used up for ${share} of the requests that fit it.`,
        remedy: remedy('Change the daily budget', 'adset', uuid, 'countries'),
      };
    case 'total_budget':
      return {
        text: `The total budget of ${name} was used up for ${share} of the requests that fit it.`,
        remedy: remedy('Change the total budget', 'adset', uuid, 'all_budget_const'),
      };
    case 'balance':
      return {
        text: `The balance was used up for ${share} of the requests that fit ${name}.`,
        remedy: remedy('Add funds', 'finances', null),
      };
    case 'pacing':
      return {
        text: `Pacing spreads the daily budget of ${name} over the day: it does not bid on ${share} of the requests that fit it.`,
        remedy: remedy('Change the daily budget', 'adset', uuid, 'daily_budget_const'),
      };
    case 'capped':
      return cappedExplanation(adset, share);
    case 'no_person_key':
      return {
        text: `${share} of the requests that fit ${name} are of people without an id, whom it skips because of its frequency caps.`,
        remedy: remedy('Bid for people without an id', 'adset', uuid, 'people_without_id', 'bid'),
      };
    case 'no_lease':
    case 'overloaded':
      return {
        text: `For ${number} the bidder had no share of the budget of ${name} at that moment. The operator can see why.`,
        remedy: null,
      };
    case 'bundle_black_listed':
      return {
        text: `The blocklist of ${name} has the publishers of ${share} of the requests${examples(adset, exit)}.`,
        remedy: remedy('Change the blocklist', 'adset', uuid, 'black_list_bundles'),
      };
    case 'bundle_not_white_listed':
      return {
        text: `The allowlist of ${name} lacks the publishers of ${share} of the requests${examples(adset, exit)}.`,
        remedy: remedy('Change the allowlist', 'adset', uuid, 'white_list_bundles'),
      };
    case 'out_of_hours':
      return hoursExplanation(adset, share);
    case 'audience_unknown':
      return {
        text: `${share} of the requests that ${name} targets are of people who cannot be looked up in its audiences: they have no id, or do not allow it.`,
        remedy:
          ownAudiences.skips && !ownAudiences.include
            ? remedy('Change the audiences', 'adset', uuid, 'audience_without_id')
            : audienceRemedy(adset, 'include'),
      };
    case 'audience_excluded':
      return {
        text: `${share} of the requests that ${name} targets are of people in audiences that it leaves out.`,
        remedy: audienceRemedy(adset, 'exclude'),
      };
    case 'audience_not_included':
      return {
        text: `${share} of the requests that ${name} targets are of people who are not in its audiences.`,
        remedy: audienceRemedy(adset, 'include'),
      };
    case 'audience_not_loaded':
      return {
        text: `For ${number} the bidder did not have an audience of ${name} in memory yet. The operator can see why.`,
        remedy: null,
      };
    case 'no_matching_size':
      return {
        text: `${share} of the requests that ${name} targets ask for a size that its creatives do not have${examples(adset, exit)}.`,
        remedy: remedy('Add a creative', 'creatives', adset.appUuid, 'type', 'Banner'),
      };
    case 'no_matching_format':
      return {
        text: `${share} of the requests that ${name} targets ask for a format that its creatives do not have${examples(adset, exit)}.`,
        remedy: remedy('Add a creative', 'creatives', adset.appUuid, 'type', creativeType(adset, exit)),
      };
    case 'insecure_address':
      return {
        text: `${share} of the requests that fit ${name} take https:// addresses only, and its view URL begins with http://.`,
        remedy: remedy('Change the tracking link', 'tracking_link', adset.link.uuid, 'view_url'),
      };
    case 'answer_too_long':
      return adset.delivery.too_large.length > 0
        ? {
            text: tooLargeSentences(adset),
            remedy: remedy('Check the creatives', 'creatives', adset.appUuid),
          }
        : placeExplanation(adset, exit, lost);
    case 'creative_not_approved':
      return adset.notApproved.length > 0
        ? {
            text: notApprovedSentences(adset),
            remedy: remedy('See why', 'creatives', adset.appUuid, 'creative', adset.notApproved[0]!.uuid),
          }
        : placeExplanation(adset, exit, lost);
    case 'timeout':
      return { text: `The bids on ${number} were late. The operator can see why.`, remedy: null };
    default:
      return stepOf(exit) === 'targeted'
        ? targetExplanation(adset, exit, lost)
        : placeExplanation(adset, exit, lost);
  }
}

/** `in Japan`: the countries of the requests; without a sample of them the country that has a budget, if it is one. */
function usedUpCountries({ market, budgetCountries }: AdsetFacts): string {
  const seen = market?.values['country_budget']?.slice(0, 3).map(({ value }) => value) ?? [];
  const known = seen.length > 0 ? seen : budgetCountries.length === 1 ? budgetCountries : [];
  return known.length > 0 ? `in ${listed(known.map(countryName))}` : 'in a country';
}

/** The caps that people have reached; an ad set with caps of its own has the remedy there. */
/** Where the audiences of a list are changed: in the target if the ad set has none of its own. */
export function audienceRemedy(
  { uuid, target, ownAudiences }: AdsetFacts,
  list: 'include' | 'exclude',
): Remedy {
  const own = ownAudiences[list];
  return remedy(
    'Change the audiences',
    own ? 'adset' : 'target',
    own ? uuid : target.uuid,
    `audience_${list}`,
  );
}

function cappedExplanation({ uuid, name, caps, campaign }: AdsetFacts, share: string): Explanation {
  const isOwn = caps.length > 0;
  const own = isOwn ? ` (${capsText(caps)})` : '';
  const together =
    campaign.caps.length > 0
      ? `${isOwn ? ' or the caps' : ''} of the campaign (${capsText(campaign.caps)})`
      : '';
  return {
    text: `${share} of the requests that fit ${quoted(name)} are of people who have reached the frequency caps${isOwn ? ' of the ad set' : ''}${own}${together}.`,
    remedy: remedy(
      'Change the frequency caps',
      isOwn ? 'adset' : 'campaign',
      isOwn ? uuid : campaign.uuid,
      'frequency_caps',
    ),
  };
}

function hoursExplanation({ uuid, name, hours }: AdsetFacts, share: string): Explanation {
  const present = hours === null ? '' : ` (${hours})`;
  return {
    text: `${share} of the requests that fit the target of ${quoted(name)} come outside its hours${present}.`,
    remedy: remedy('Change the hours', 'adset', uuid, 'hours'),
  };
}

/** Most creatives that are named. */
const TOO_LARGE_MAX = 3;

function tooLargeSentences({ name, delivery: { too_large: tooLarge } }: AdsetFacts): string {
  const sentences = tooLarge
    .slice(0, TOO_LARGE_MAX)
    .map((creative) => tooLargeText(quoted(creative.name), creative.exchanges));
  const others = tooLarge.length - TOO_LARGE_MAX;
  const rest = others > 0 ? ` So ${others === 1 ? 'is' : 'are'} ${others} more of ${quoted(name)}.` : '';
  return sentences.join(' ') + rest;
}

function notApprovedSentences({ name, notApproved }: AdsetFacts): string {
  const sentences = notApproved
    .slice(0, TOO_LARGE_MAX)
    .map(({ creative, at }) => notApprovedText(quoted(creative), at));
  const others = notApproved.length - TOO_LARGE_MAX;
  const rest =
    others > 0
      ? ` ${others} more of ${quoted(name)} ${others === 1 ? 'is' : 'are'} not approved either.`
      : '';
  return sentences.join(' ') + rest;
}

/** The properties of requests that targets have a field for. */
const PROPERTIES: Partial<Record<FunnelExit, readonly [words: string, field: string]>> = {
  country: ['country', 'location_include'],
  region: ['region', 'region_include'],
  city: ['city', 'city_include'],
  postal_code: ['postal code', 'postal_include'],
  radius: ['place', 'radius_include'],
  exchange: ['exchange', 'exchange_include'],
  device_type: ['device type', 'device_types'],
  os_version: ['version of the system', 'device_min_os_version'],
  device_model: ['device model', 'device_models'],
  connection_type: ['connection', 'device_connection_types'],
  carrier: ['carrier', 'carrier_include'],
  placement_kind: ['kind of placement', 'placement_kinds'],
  language: ['language', 'language_include'],
  genre: ['genre of the publisher', 'genre_include'],
};

function targetExplanation(
  adset: AdsetFacts,
  exit: FunnelExit,
  { share, isPart: isOfPassed }: Lost,
): Explanation {
  const isPart = isOfPassed && OF_PASSED.has(exit);
  const property = PROPERTIES[exit];
  if (!property)
    return {
      text: `${share} of the requests do not fit ${quoted(adset.name)} (${exitWords(exit)}).`,
      remedy: exit === 'device_id' ? remedy('Change the target', 'target', adset.target.uuid, exit) : null,
    };
  const [words, field] = property;
  const value = exit === 'os_version' ? null : firstValue(adset, exit);
  const label =
    value === null ? 'Change the target' : `Add ${exit === 'country' ? countryName(value) : value}`;
  return {
    text: isPart
      ? `${share} of the requests from the ${exit === 'region' ? 'countries' : 'countries and regions'} of ${quoted(adset.name)} are of another ${words} than it targets${examples(adset, exit)}.`
      : `${share} of the requests are of another ${words} than ${quoted(adset.name)} targets${examples(adset, exit)}.`,
    remedy: remedy(label, 'target', adset.target.uuid, field, value),
  };
}

function placeExplanation({ name, appUuid }: AdsetFacts, exit: FunnelExit, { share }: Lost): Explanation {
  const isBlocked = CODES[exit] === 'advertiser_blocked';
  return {
    text: isBlocked
      ? `${share} of the requests that ${quoted(name)} targets block the app, its advertiser or its category.`
      : `${share} of the requests that ${quoted(name)} targets do not take its creatives (${exitWords(exit)}).`,
    remedy: isBlocked ? null : remedy('Add a creative', 'creatives', appUuid, 'type'),
  };
}

function outbidExplanation(adset: AdsetFacts, { share, requests }: Lost): Explanation {
  const { name, delivery } = adset;
  const [own] = delivery.outbid_by;
  if (own)
    return {
      text: `${quoted(own.name)} of the same company bid in place of ${quoted(name)} on ${percent(own.requests.value, requests.value)} of ${inWords(requests)} requests: they compete for the same impressions.`,
      remedy: remedy(`Open ${quoted(own.name)}`, 'adset', own.uuid),
    };
  return {
    text: `Another ad set bid more on ${share} of the requests that fit ${quoted(name)}.`,
    remedy: settingRemedy(adset, priceSetting(adset)),
  };
}

/** The most frequent values in the requests of an exit, in brackets; '' where the sample does not say. */
function examples({ market }: AdsetFacts, exit: FunnelExit): string {
  const values =
    market?.values[exit]?.slice(0, 3).map(({ value }) => (exit === 'country' ? countryName(value) : value)) ??
    [];
  return values.length > 0 ? ` (most often ${listed(values)})` : '';
}

function firstValue({ market }: AdsetFacts, exit: FunnelExit): string | null {
  return market?.values[exit]?.[0]?.value || null;
}

const CREATIVE_TYPES: Readonly<Record<string, string>> = {
  video: 'Video',
  native: 'Native',
  banner: 'Banner',
};

function creativeType(adset: AdsetFacts, exit: FunnelExit): string | null {
  return CREATIVE_TYPES[firstValue(adset, exit) ?? ''] ?? null;
}

/** Fewest bids for a finding about the share that wins. */
const BIDS_MIN = 50;
/** Below this share a finding appears, and from the other it goes away. */
const WIN_SHARE = { from: 0.1, until: 0.12 };
/** Fewest lost bids with a price from which one is suggested. */
const PRICED_MIN = 20;
/** From this share of the CPM bid, values are taken as bounded by it: they are a median of an estimate. */
const CAPPED_SHARE = 0.98;

/** OpenRTB 2.6, loss reason codes: for bids below a floor, and for rejected creatives. */
const FLOOR_CODES: readonly number[] = [100, 101];
const CREATIVE_CODES = { from: 200, before: 300 };

/** Says why an ad set wins few of its bids, with the price that would have won; null where it wins enough. */
function unwonFinding(adset: AdsetFacts): Loss | null {
  const { bids, wins, impressions, losses_by_code: byCode } = adset.delivery;
  const won = Math.max(wins, impressions);
  if (bids < BIDS_MIN || won / bids >= WIN_SHARE[adset.before.has('unwon') ? 'until' : 'from']) return null;
  const lost = bids - won;
  const share = `${quoted(adset.name)} won ${percent(won, bids)} of its ${inDigits(bids)} bids`;
  const [main] = byCode;
  const cause =
    main && isRejection(main) && main.losses > lost / 2 ? rejected(adset, main) : underbid(adset, main);
  return {
    cause: 'unwon',
    bids: lost,
    finding: {
      severity: 'limited',
      adset: { uuid: adset.uuid, name: adset.name },
      lost: { value: lost, error: 0 },
      ...cause,
      text: `${share}: ${cause.text}`,
    },
  };
}

type Cause = Pick<Finding, 'code' | 'text' | 'remedy'>;

/** Whether exchanges rejected the bids of a code: because of the creative, or by a rule of their own. */
function isRejection({ code, profile }: LossesByCode): boolean {
  const isOfCreative = code >= CREATIVE_CODES.from && code < CREATIVE_CODES.before;
  return isOfCreative || (code >= OWN_LOSS_CODES && Boolean(profile));
}

function rejected({ appUuid }: AdsetFacts, { code, losses, profile }: LossesByCode): Cause {
  return {
    code: 'creative_refused',
    text: `exchanges rejected ${inDigits(losses)} of them. ${lossReason(code, profile)} (code ${code}).`,
    remedy: remedy('Check the creatives', 'creatives', appUuid),
  };
}

function underbid(adset: AdsetFacts, main: LossesByCode | undefined): Cause {
  const who =
    main && FLOOR_CODES.includes(main.code) ? 'the exchanges’ floors were higher' : 'other buyers bid more';
  const priced = adset.delivery.losses_by_code
    .flatMap(({ min_to_win: prices }) => prices ?? [])
    .toSorted((a, b) => b.losses - a.losses)[0];
  const known = priced && priced.losses >= PRICED_MIN ? priced : null;
  const setting = settingOfLostBids(adset);
  // The CPM bid bounds each bid: where most values reach it, nothing else raises them.
  const isCapped = (known?.value?.median_cpm ?? 0) >= adset.betCpm * CAPPED_SHARE;
  const cause = setting && !isCapped ? underTarget(adset, setting, known) : underCpm(adset, setting, known);
  return { code: 'win_price', text: `${who}.${cause.text}`, remedy: cause.remedy };
}

/** The price that lost bids would have needed, in terms of the CPM bid. */
function underCpm(
  { uuid, betCpm }: AdsetFacts,
  setting: PriceSetting | null,
  known: MinToWin | null,
): Pick<Cause, 'text' | 'remedy'> {
  const change = remedy('Change the bid', 'adset', uuid, 'bet_cpm');
  const cap = setting
    ? ` Its CPM bid of ${dollars(betCpm)}, which none of its bids exceeds, limits them.`
    : '';
  if (!known) return { text: cap, remedy: change };
  const price = inCents(known.median_cpm);
  return {
    text: `${cap} Of ${pricedText(known.losses)}, half would have won at ${dollars(price)}, four of five at ${dollars(inCents(known.p80_cpm))}.`,
    // Bid shading and low install rates lower bids: where the price is below the highest bid, raising that changes nothing.
    remedy:
      price > betCpm ? remedy(`Set the bid to ${dollars(price)}`, 'adset', uuid, 'bet_cpm', price) : change,
  };
}

/** The same in terms of the setting that the bids follow: a CPM bid above them changes nothing. */
function underTarget(
  adset: AdsetFacts,
  setting: PriceSetting,
  known: MinToWin | null,
): Pick<Cause, 'text' | 'remedy'> {
  const limit = ` Its ${setting.name} limits its bids.`;
  const value = known && known.value && known.value.losses >= PRICED_MIN ? known.value : null;
  if (!known || !value) return { text: limit + setting.note, remedy: settingRemedy(adset, setting) };
  if (value.median_factor <= 1)
    return {
      text: ` Of ${pricedText(value.losses)}, most were worth more to it than the price that won: it bids lower on purpose, where that buys the same for less.`,
      remedy: null,
    };
  const [half, most] = [setting.raised(value.median_factor), setting.raised(value.p80_factor)];
  if (!half) return { text: limit + setting.note, remedy: settingRemedy(adset, setting) };
  const isAboveBid = known.median_cpm > adset.betCpm;
  const bound = isAboveBid
    ? ` Their prices are above its CPM bid of ${dollars(adset.betCpm)}, which none of its bids exceeds.`
    : '';
  const all = most ? `, four of five at about ${most.text}` : '';
  return {
    text: `${limit} Of ${pricedText(value.losses)}, half would have won at a ${setting.noun} of about ${half.text}${all}.${bound}${setting.note}`,
    remedy: settingRemedy(adset, setting, isAboveBid ? null : value.median_factor),
  };
}

const pricedText = (losses: number): string => `${inDigits(losses)} lost bids with a known price`;
