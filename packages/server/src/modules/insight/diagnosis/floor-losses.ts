import { toDollars } from '@bidwell/contract/lib/money';
import type { Remedy } from '@bidwell/contract/insight/finding';
import { remedy } from './blockers.ts';
import type { AdsetFacts } from './facts.ts';
import { countryName, dollars, inCents, percent, quoted } from './numbers.ts';
import { type PriceSetting, priceSetting, settingRemedy } from './price-setting.ts';

/** Share of the requests under the floor that a suggested price reaches. */
const REACHED_SHARE = 0.8;

interface Explanation {
  text: string;
  remedy: Remedy;
}

/** Why the floors of a share of the requests are too high for an ad set, and what would reach them. */
export function floorExplanation(adset: AdsetFacts, share: string): Explanation {
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

/** The first of what is sorted by price that reaches most of the requests, and how many it reaches; null for none. */
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
