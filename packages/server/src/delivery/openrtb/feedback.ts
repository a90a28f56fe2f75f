import { STATUS_LOSS_CODES } from '@bidwell/contract/bid-log/loss-reasons';
import { MICROS } from '@bidwell/contract/lib/money';
import type { Tally } from '../../platform/telemetry/metrics.ts';
import type { Ingest } from '../event-log/ingest.ts';
import type { CompiledAdset } from '../model/candidate.ts';
import type { BidRef, DeliveryEvent } from '../model/event.ts';
import type { SnapshotService } from '../snapshot/service.ts';
import type { FeedbackBid } from '../trackers/feedback-token.ts';
import { LOST_TO_HIGHER_BID, minToWinOfLost, minToWinOfWon } from '../trackers/accept.ts';
import { chargesAt } from '../trackers/price.ts';
import type { Signer } from '../trackers/signer.ts';
import { arrayOf, integerOf, isObject, numberOf, objectOf, textOf } from './json.ts';

/** How an earlier bid ended, as a later request says (`ext.bid_feedback` of Google's extensions of OpenRTB). */
export interface BidFeedback {
  /** `event_notification_token.payload`, which the bid had. */
  token: string;
  /** The creative status code; {@link STATUS_WON} for a bid that won. */
  status: number;
  /** The price of a won bid, or the price that an outbid one would have had to exceed; units per thousand. NaN for none. */
  price: number;
  /** The lowest price that would have won; NaN for none. */
  minToWin: number;
}

/** Google's creative status codes: the bid won, and it was outbid. */
export const STATUS_WON = 1;
export const STATUS_OUTBID = 79;

/** Most feedback that is read of one request, and the longest price in units per thousand. */
export const FEEDBACK_MAX = 50;
const UNITS_MAX = 1_000_000;
/** Loss codes have two bytes. */
const STATUS_MAX = 65_535 - STATUS_LOSS_CODES;

/** Dependencies of {@link recordFeedback}. */
export interface FeedbackDeps {
  ingest: Pick<Ingest, 'record'>;
  signer: Pick<Signer, 'readFeedbackToken'>;
  snapshot: Pick<SnapshotService, 'running'>;
  now: () => Date;
  /** Labels ssp and outcome: stored, duplicate, expired, invalid (no token of ours), unknown (of an ad set that does not run), failed. */
  feedback: Tally;
}

/** Reads the feedback of a request leniently: entries without a token or a status are left out. Never throws. */
export function readFeedback(body: unknown): readonly BidFeedback[] {
  const list = objectOf(objectOf(body)['ext'])['bid_feedback'];
  if (list === undefined) return [];
  return arrayOf(list, FEEDBACK_MAX).flatMap((entry): BidFeedback | [] => {
    if (!isObject(entry)) return [];
    const token = textOf(objectOf(entry['event_notification_token'])['payload']);
    const status = integerOf(entry['creative_status_code'], 0);
    if (token === '' || status <= 0 || status > STATUS_MAX) return [];
    return {
      token,
      status,
      price: unitsOf(entry['price']),
      minToWin: unitsOf(entry['minimum_bid_to_win']),
    };
  });
}

function unitsOf(value: unknown): number {
  const units = numberOf(value);
  return units > 0 && units <= UNITS_MAX ? units : Number.NaN;
}

/**
 * Records how earlier bids of an exchange ended, as a notice of the same kind would: each win and each loss of a bid counts once,
 * whether a notice or feedback says it first. Feedback charges nothing. Nothing here delays or fails a response.
 */
export function recordFeedback(body: unknown, exchange: string, deps: FeedbackDeps): void {
  const count = (outcome: string) => deps.feedback.inc(exchange, outcome);
  for (const feedback of readFeedback(body)) {
    const bid = deps.signer.readFeedbackToken(feedback.token, exchange);
    const adset = bid && deps.snapshot.running(bid.adsetId);
    const ref = bid && adset && refOf(bid, exchange, adset);
    if (!ref) count(bid ? 'unknown' : 'invalid');
    // Where the win notice charges, a win without a price would leave the charge out as a duplicate.
    else if (feedback.status !== STATUS_WON || !chargesAt(ref.chargeOn, 'win'))
      deps.ingest.record(eventOf(feedback, ref, deps.now().getTime())).then(count, () => count('failed'));
  }
}

/** The event of a bid's feedback. */
export function eventOf({ status, price, minToWin }: BidFeedback, ref: BidRef, atMs: number): DeliveryEvent {
  const hasWon = status === STATUS_WON;
  const isOutbid = status === STATUS_OUTBID;
  const lossReason = hasWon ? 0 : isOutbid ? LOST_TO_HIGHER_BID : STATUS_LOSS_CODES + status;
  const units = Number.isNaN(minToWin) && isOutbid ? price : minToWin;
  const reported = Number.isNaN(units) ? undefined : units * MICROS;
  const minToWinCpmMicros = hasWon
    ? minToWinOfWon(reported, ref)
    : minToWinOfLost({ lossReason, minToWin: reported, price: undefined }, ref, { keys: null });
  return {
    kind: hasWon ? 'win' : 'loss',
    atMs,
    ref,
    spendMicros: 0,
    lossReason,
    ...(minToWinCpmMicros !== undefined && { minToWinCpmMicros }),
    mark: '',
  };
}

/** The bid of a token, with what its ad set says of it; undefined if the ad set no longer has the creative. */
function refOf(bid: FeedbackBid, exchange: string, adset: CompiledAdset): BidRef | undefined {
  const creative = adset.creatives.find(({ uuid }) => uuid === bid.creativeId);
  if (!creative) return undefined;
  return {
    ...bid,
    exchange,
    companyId: adset.companyId,
    appId: adset.app.uuid,
    campaignId: adset.campaignId,
    ...(adset.reEngagement && { reEngagement: true }),
    creativeGroupId: creative.groupUuid,
    creativeType: creative.type,
    width: creative.file.width,
    height: creative.file.height,
    durationMs: creative.type === 'Video' ? creative.durationMs : 0,
    ifa: '',
    language: '',
  };
}
