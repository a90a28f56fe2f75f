import { type Micros, toMicros } from '@bidwell/contract/lib/money';
import { z } from 'zod';

/** The fields of a bid that the auction uses. */
export interface Bid {
  id: string;
  impId: string;
  seatId: string;
  adId: string;
  creativeId: string;
  priceCpmMicros: Micros;
  markup: string;
  winUrl: string;
  billingUrl: string;
  lossUrl: string;
  /** By which feedback in later requests names the bid; '' or absent without one. */
  feedbackToken?: string;
}

const BidObject = z.object({
  id: z.string().min(1),
  impid: z.string().min(1),
  price: z.number().positive().max(1_000_000),
  adid: z.string().default(''),
  crid: z.string().default(''),
  adm: z.string().default(''),
  nurl: z.string().default(''),
  burl: z.string().default(''),
  lurl: z.string().default(''),
  ext: z.looseObject({ event_notification_token: z.object({ payload: z.string() }).optional() }).default({}),
});

const BidResponse = z.object({
  id: z.string(),
  cur: z.literal('USD').default('USD'),
  seatbid: z.array(z.object({ seat: z.string().default(''), bid: z.array(BidObject).min(1) })).default([]),
});

/**
 * Parses the bids of a response body (OpenRTB 2.5, 4.2): the highest bid per imp. Null if the body is not a response to
 * this request.
 */
export function readBidResponse(body: string, requestId: string): Bid[] | null {
  const response = BidResponse.safeParse(parseJson(body));
  if (!response.success || response.data.id !== requestId) return null;
  const best = new Map<string, Bid>();
  for (const { seat, bid: bids } of response.data.seatbid) {
    for (const bid of bids) {
      const priceCpmMicros = toMicros(bid.price);
      if (priceCpmMicros <= (best.get(bid.impid)?.priceCpmMicros ?? 0)) continue;
      best.set(bid.impid, {
        id: bid.id,
        impId: bid.impid,
        seatId: seat,
        adId: bid.adid,
        creativeId: bid.crid,
        priceCpmMicros,
        markup: bid.adm,
        winUrl: bid.nurl,
        billingUrl: bid.burl,
        lossUrl: bid.lurl,
        feedbackToken: bid.ext.event_notification_token?.payload ?? '',
      });
    }
  }
  return [...best.values()];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
