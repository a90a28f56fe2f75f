import type { StoredRequest } from '../../funnel/request-sample.ts';
import type { ParsedRequest } from '../../model/bid-request.ts';
import type { SnapshotService } from '../../snapshot/service.ts';
import { readBidRequest } from './read-request.ts';

/** Dependencies of {@link readSampled}. */
export interface SampledDeps {
  snapshot: Pick<SnapshotService, 'ssp' | 'rates'>;
  tcfVendorId: number | null;
}

/**
 * Reads a stored bid request with the present settings of its exchange. Null for one that cannot be read, and for one of
 * an exchange that was turned off, which sends no more such requests. Throws for text that is not JSON.
 */
export function readSampled(
  { exchange, request }: Pick<StoredRequest, 'exchange' | 'request'>,
  { snapshot, tcfVendorId }: SampledDeps,
): ParsedRequest | null {
  const ssp = snapshot.ssp(exchange);
  if (!ssp) return null;
  const { seat, auctionType, rules, billing, isReviewed } = ssp;
  return readBidRequest(JSON.parse(request), exchange, {
    seat,
    auctionType,
    rules,
    billing,
    isReviewed,
    rates: snapshot.rates(),
    tcfVendorId,
  });
}
