/** Outcomes of a replayed request. */
export type ResponseKind = 'bid' | 'no_bid' | 'bad_request' | 'other_status' | 'timeout' | 'broken';

/** Results of a replay. */
export interface Summary {
  requests: number;
  answers: Record<ResponseKind, number>;
  /** Number of responses by status. */
  statuses: Record<string, number>;
  /** Imps with a bid. */
  impsBid: number;
  /** Bid responses that do not match a schema. */
  invalidBids: number;
  seconds: number;
  requestsPerSecond: number;
  latencyMs: { p50: number; p90: number; p95: number; p99: number; max: number } | null;
}

/** Percentiles are exact up to this number of responses, and computed from a uniform sample beyond it. */
const SAMPLES_MAX = 1_000_000;

/** Counts responses and samples their latencies. */
export class Tally {
  readonly #responses: Record<ResponseKind, number> = {
    bid: 0,
    no_bid: 0,
    bad_request: 0,
    other_status: 0,
    timeout: 0,
    broken: 0,
  };
  readonly #statuses: Record<string, number> = {};
  readonly #latenciesMs: number[] = [];
  #received = 0;
  #maxMs = 0;
  impsBid = 0;
  invalidBids = 0;

  addResponse(kind: ResponseKind, status: number, latencyMs: number): void {
    this.#responses[kind]++;
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    this.#received++;
    this.#maxMs = Math.max(this.#maxMs, latencyMs);
    if (this.#latenciesMs.length < SAMPLES_MAX) this.#latenciesMs.push(latencyMs);
    else {
      // Reservoir sampling: each response is sampled with the same probability.
      const index = Math.floor(Math.random() * this.#received);
      if (index < SAMPLES_MAX) this.#latenciesMs[index] = latencyMs;
    }
  }

  /** Counts a request without a response: a timeout or a broken connection. */
  failed(kind: 'timeout' | 'broken'): void {
    this.#responses[kind]++;
  }

  summary(seconds: number): Summary {
    const requests = Object.values(this.#responses).reduce((sum, count) => sum + count, 0);
    const sorted = Float64Array.from(this.#latenciesMs).sort();
    return {
      requests,
      answers: { ...this.#responses },
      statuses: { ...this.#statuses },
      impsBid: this.impsBid,
      invalidBids: this.invalidBids,
      seconds: round(seconds),
      requestsPerSecond: round(requests / Math.max(seconds, 0.001)),
      latencyMs:
        sorted.length === 0
          ? null
          : {
              p50: percentile(sorted, 0.5),
              p90: percentile(sorted, 0.9),
              p95: percentile(sorted, 0.95),
              p99: percentile(sorted, 0.99),
              max: round(this.#maxMs),
            },
    };
  }
}

/** The nearest-rank percentile of sorted numbers. */
function percentile(sorted: Float64Array, share: number): number {
  return round(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
