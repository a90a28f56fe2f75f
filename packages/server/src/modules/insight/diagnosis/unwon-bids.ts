import type { LossesByCode, MinToWin } from '@bidwell/contract/insight/delivery-report';
import type { Finding } from '@bidwell/contract/insight/finding';
import { lossReason } from '@bidwell/contract/bid-log/loss-reasons';
import { remedy } from './blockers.ts';
import type { AdsetFacts, Loss } from './facts.ts';
import { dollars, inCents, inDigits, percent, quoted } from './numbers.ts';
import { type PriceSetting, settingOfLostBids, settingRemedy } from './price-setting.ts';

/** Fewest bids for a finding about the share that wins. */
const BIDS_MIN = 50;
/** Below this share a finding appears, and from the other it goes away. */
const WIN_SHARE = { from: 0.1, until: 0.12 };
/** Fewest lost bids with a price from which one is suggested. */
const PRICED_MIN = 20;
/** From this share of the CPM bid, values are taken as bounded by it: they are a median of an estimate. */
const CAPPED_SHARE = 0.98;

/** OpenRTB 2.6, loss reason codes: below a floor; and those of rejected creatives. */
const FLOOR_CODES: readonly number[] = [100, 101];
const CREATIVE_CODES = { from: 200, before: 300 };

/** Says why an ad set wins few of its bids, with the price that would have won; null where it wins enough. */
export function unwonFinding(adset: AdsetFacts): Loss | null {
  const { bids, wins, impressions, losses_by_code: byCode } = adset.delivery;
  const won = Math.max(wins, impressions);
  if (bids < BIDS_MIN || won / bids >= WIN_SHARE[adset.before.has('unwon') ? 'until' : 'from']) return null;
  const lost = bids - won;
  const share = `${quoted(adset.name)} won ${percent(won, bids)} of its ${inDigits(bids)} bids`;
  const [main] = byCode;
  const cause =
    main && isOfCreative(main) && main.losses > lost / 2 ? rejected(adset, main) : underbid(adset, main);
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

function isOfCreative({ code }: LossesByCode): boolean {
  return code >= CREATIVE_CODES.from && code < CREATIVE_CODES.before;
}

function rejected({ appUuid }: AdsetFacts, { code, losses }: LossesByCode): Cause {
  return {
    code: 'creative_refused',
    text: `exchanges rejected ${inDigits(losses)} of them. ${lossReason(code)} (code ${code}).`,
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

/** What lost bids would have needed, in terms of the CPM bid. */
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

/** The same in terms of what the bids follow: a CPM bid above them changes nothing. */
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
