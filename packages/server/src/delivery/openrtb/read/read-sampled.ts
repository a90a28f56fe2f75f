import type { SampleMarks, StoredRequest } from '../../funnel/request-sample.ts';
import type { ParsedDevice, ParsedRequest } from '../../model/bid-request.ts';
import type { SnapshotService } from '../../snapshot/service.ts';
import { objectOf } from '../json.ts';
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
  const body: unknown = JSON.parse(request);
  const read = readBidRequest(body, exchange, {
    seat,
    auctionType,
    rules,
    billing,
    isReviewed,
    rates: snapshot.rates(),
    tcfVendorId,
  });
  return read && { ...read, device: { ...read.device, ...marked(body) } };
}

/** What the sample says of the device in place of personal data. */
function marked(body: unknown): Partial<ParsedDevice> {
  const { id, lat, lon }: SampleMarks = objectOf(objectOf(objectOf(body)['ext'])['sample']);
  return {
    ...(id === 1 && { idState: 'usable' }),
    ...(typeof lat === 'number' && typeof lon === 'number' && { point: { latitude: lat, longitude: lon } }),
  };
}
