import type { RequestCaps } from '../auction/auction.ts';
import type { ParsedRequest } from '../model/bid-request.ts';
import { type Digest, digestText } from '../model/frequency.ts';
import type { FrequencyCaps } from './frequency-caps.ts';
import type { PersonKeys } from '../privacy/person-key.ts';

/** The frequency caps as they apply to one request. The key of its person is computed once, and only if an ad set with caps is about to bid. */
export function requestCaps(
  request: ParsedRequest,
  nowMs: number,
  { frequency, personKeys }: { frequency: Pick<FrequencyCaps, 'noBidReason'>; personKeys: PersonKeys },
): RequestCaps {
  let person: Digest | null | undefined;
  const personNow = (): Digest | null => (person === undefined ? (person = personKeys(request)) : person);
  return {
    noBidReason: (caps, placed) => frequency.noBidReason(caps, personNow(), nowMs, placed),
    personKey() {
      const digest = personNow();
      return digest === null ? undefined : digestText(digest);
    },
  };
}
