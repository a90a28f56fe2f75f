/** The ids of an ad set, its campaign and its company. */
export interface AdsetIds {
  companyId: string;
  campaignId: string;
  adsetId: string;
}

/** Requests of an ad set with one code; see `FunnelRow`. */
export interface Sums {
  ids: AdsetIds;
  code: number;
  requests: number;
  samples: number;
  variance: number;
}

const FIELDS = 3;
const FIRST_SUMS = 1024;

/**
 * Requests of one hour by ad set and code, in typed arrays: thousands of ad sets are counted at once, and objects for each
 * would not fit the processor's caches.
 */
export class HourCounts {
  readonly #codes: number;
  readonly #adsets: AdsetIds[] = [];
  readonly #slots = new Map<string, number>();
  #listed: { adsets: readonly AdsetIds[]; slots: Uint32Array } | null = null;
  /** The position of the sums by slot and code, from 1; 0 for none. */
  #cells = new Uint32Array(0);
  /** Requests, samples and variance of each pair of ad set and code. */
  #sums = new Float64Array(FIRST_SUMS * FIELDS);
  #size = 0;

  /** Creates counts for codes from 0 to `codes` − 1. */
  constructor(codes: number) {
    this.#codes = codes;
  }

  /** Number of pairs of an ad set and a code. */
  get size(): number {
    return this.#size;
  }

  /** The slot of an ad set. */
  slotOf(ids: AdsetIds): number {
    const known = this.#slots.get(ids.adsetId);
    if (known !== undefined) return known;
    const slot = this.#adsets.length;
    this.#slots.set(ids.adsetId, slot);
    this.#adsets.push({ companyId: ids.companyId, campaignId: ids.campaignId, adsetId: ids.adsetId });
    if (this.#adsets.length * this.#codes > this.#cells.length) {
      const grown = new Uint32Array(2 * this.#adsets.length * this.#codes);
      grown.set(this.#cells);
      this.#cells = grown;
    }
    return slot;
  }

  /** The slots of a list of ad sets, remembered for the last list. */
  slotsOf(adsets: readonly AdsetIds[]): Uint32Array {
    if (this.#listed?.adsets !== adsets)
      this.#listed = { adsets, slots: Uint32Array.from(adsets, (ids) => this.slotOf(ids)) };
    return this.#listed.slots;
  }

  /** Adds a sampled request that stands for `weight` requests, unless it is a new pair and `hasRoom` is false. */
  add(slot: number, code: number, weight: number, hasRoom: boolean): void {
    const cell = slot * this.#codes + code;
    if (this.#cells[cell] === 0) {
      if (!hasRoom) return;
      this.#cells[cell] = this.#size += 1;
      if (this.#size * FIELDS > this.#sums.length) {
        const grown = new Float64Array(2 * this.#sums.length);
        grown.set(this.#sums);
        this.#sums = grown;
      }
    }
    const at = (this.#cells[cell]! - 1) * FIELDS;
    this.#sums[at]! += weight;
    this.#sums[at + 1]! += 1;
    this.#sums[at + 2]! += weight * (weight - 1);
  }

  /** All sums. */
  *sums(): Generator<Sums, undefined> {
    for (const [slot, ids] of this.#adsets.entries()) {
      for (let code = 0; code < this.#codes; code += 1) {
        const at = (this.#cells[slot * this.#codes + code]! - 1) * FIELDS;
        if (at < 0) continue;
        const [requests = 0, samples = 0, variance = 0] = this.#sums.subarray(at, at + FIELDS);
        yield { ids, code, requests, samples, variance };
      }
    }
  }
}
