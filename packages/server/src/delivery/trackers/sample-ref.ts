import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
import type { BidRef } from '../model/event.ts';

/** A made-up bid, made at `atMs`, with random ids. */
export function sampleRef(over: Partial<BidRef> = {}, atMs = Date.now()): BidRef {
  return {
    bidId: uuidv7({ msecs: atMs }),
    companyId: uuidv4(),
    appId: uuidv4(),
    campaignId: uuidv4(),
    adsetId: uuidv4(),
    creativeId: uuidv4(),
    creativeGroupId: uuidv4(),
    creativeType: 'Banner',
    width: 320,
    height: 50,
    durationMs: 0,
    exchange: 'sample',
    chargeOn: 'billing',
    bundle: 'com.example.game',
    os: 'android',
    country: 'US',
    bidCpmMicros: 4_000_000,
    marginBasisPoints: 0,
    currency: '',
    dollarsPerUnit: 1,
    auctionType: 1,
    test: false,
    ifa: '',
    language: 'en',
    ...over,
  };
}

/** The path and query of a URL, with the price macro replaced as by the exchange. */
export function pathOf(url: string, price?: string): string {
  const { pathname, search } = new URL(url);
  const query = decodeURIComponent(search);
  return pathname + (price === undefined ? query : query.replaceAll('${AUCTION_PRICE}', price));
}
