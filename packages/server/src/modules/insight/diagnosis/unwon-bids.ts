import type { LossesByCode } from '@bidwell/contract/insight/delivery-report';
import type { Finding } from '@bidwell/contract/insight/finding';
import { lossReason } from '@bidwell/contract/bid-log/loss-reasons';
import { remedy } from './blockers.ts';
import type { AdsetFacts, Loss } from './facts.ts';
import { dollars, inCents, inDigits, percent, quoted } from './numbers.ts';

/** Fewest bids for a finding about the share that wins. */
const BIDS_MIN = 50;
/** Below this share a finding appears, and from the other it goes away. */
const WIN_SHARE = { from: 0.1, until: 0.12 };
/** Fewest lost bids with a price from which one is suggested. */
const PRICED_MIN = 20;

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

function underbid({ uuid, betCpm, delivery }: AdsetFacts, main: LossesByCode | undefined): Cause {
  const who =
    main && FLOOR_CODES.includes(main.code) ? 'the exchanges’ floors were higher' : 'other buyers bid more';
  const priced = delivery.losses_by_code
    .flatMap(({ min_to_win: prices }) => prices ?? [])
    .toSorted((a, b) => b.losses - a.losses)[0];
  if (!priced || priced.losses < PRICED_MIN)
    return {
      code: 'win_price',
      text: `${who}.`,
      remedy: remedy('Change the bid', 'adset', uuid, 'bet_cpm'),
    };
  const price = inCents(priced.median_cpm);
  const ofPriced = `${inDigits(priced.losses)} lost bids with a known price`;
  return {
    code: 'win_price',
    text: `${who}. Of ${ofPriced}, half would have won at ${dollars(price)}, four of five at ${dollars(inCents(priced.p80_cpm))}.`,
    // Bid shading and low install rates lower bids: where the price is below the highest bid, raising that changes nothing.
    remedy:
      price > betCpm
        ? remedy(`Set the bid to ${dollars(price)}`, 'adset', uuid, 'bet_cpm', price)
        : remedy('Change the bid', 'adset', uuid, 'bet_cpm'),
  };
}
