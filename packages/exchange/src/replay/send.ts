import { type HttpClient, TimedOut } from '../http-client.ts';
import type { RecordedRequest } from './input.ts';
import type { Tally } from './tally.ts';
import type { BidCheck } from './validate.ts';

export interface SendOptions {
  http: HttpClient;
  /** URL of the requests: …/openrtb/NAME/SECRET. */
  address: string;
  concurrency: number;
  tally: Tally;
  check: BidCheck | null;
  /** Called for invalid bids, server errors and requests without a response. */
  onProblem: (source: string, problem: string) => void;
  signal: AbortSignal;
}

/** Sends each request once, `concurrency` at a time; stops early on the signal. */
export async function sendAll(requests: AsyncIterable<RecordedRequest>, options: SendOptions): Promise<void> {
  const iterator = requests[Symbol.asyncIterator]();
  const worker = async (): Promise<void> => {
    while (!options.signal.aborted) {
      const next = await iterator.next();
      if (next.done) return;
      await sendOne(next.value, options);
    }
  };
  try {
    await Promise.all(Array.from({ length: options.concurrency }, worker));
  } finally {
    await iterator.return?.();
  }
}

async function sendOne({ body, source }: RecordedRequest, options: SendOptions): Promise<void> {
  const { http, address, tally, check, onProblem } = options;
  const startMs = performance.now();
  try {
    const { status, text } = await http.post(address, body, { headers: { 'x-openrtb-version': '2.5' } });
    const latencyMs = performance.now() - startMs;
    const bid = status === 200 ? bidOf(text) : null;
    tally.addResponse(kindOf(status, bid), status, latencyMs);
    if (status >= 500) onProblem(source, `status ${status}`);
    if (!bid) return;
    tally.impsBid += bid.imps;
    const problem = check?.(bid.body);
    if (!problem) return;
    tally.invalidBids++;
    onProblem(source, problem);
  } catch (error) {
    tally.failed(error instanceof TimedOut ? 'timeout' : 'broken');
    onProblem(source, error instanceof Error ? error.message : String(error));
  }
}

function kindOf(status: number, bid: object | null) {
  if (bid) return 'bid';
  if (status === 204) return 'no_bid';
  return status === 400 ? 'bad_request' : 'other_status';
}

/** Parses a body with at least one bid and counts its imps; null for any other (`{"id","nbr"}` is no bid). */
function bidOf(text: string): { body: unknown; imps: number } | null {
  try {
    const body = JSON.parse(text) as { seatbid?: { bid?: { impid?: unknown }[] }[] };
    const bids = (body.seatbid ?? []).flatMap((seat) => seat.bid ?? []);
    return bids.length > 0 ? { body, imps: new Set(bids.map(({ impid }) => impid)).size } : null;
  } catch {
    return null;
  }
}
