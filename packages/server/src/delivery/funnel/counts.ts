import { ID_STATES, type IdState } from '@bidwell/contract/insight/device-ids';
import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import { FUNNEL_EXITS, FUNNEL_STEPS } from '@bidwell/contract/insight/funnel';
import type { Candidate } from '../model/candidate.ts';
import type { Explained } from './explain.ts';
import { codeOf } from './exits.ts';

/** `bid` is not an exit: the ad set bid on these sampled requests. `sent` counts all bids, not a sample. */
export type CountedExit = FunnelExit | 'bid' | 'sent';

/** Requests that left the funnel of an ad set at one exit in an hour, or that the ad set targets and that have one state of an advertising id. */
export interface FunnelRow {
  /** Start of the hour, Unix ms. */
  hourMs: number;
  company_id: string;
  campaign_id: string;
  adset_id: string;
  exit: CountedExit | IdState;
  /** The ad set of the same company that bid instead; '' for any other. */
  by: string;
  /** Estimated number: each sampled request stands for several. */
  requests: number;
  samples: number;
  /** Sum of w (w − 1) over the samples, each of which stands for w requests: an upper bound of the variance of `requests`. */
  variance: number;
}

const HOUR_MS = 3_600_000;
/** Most rows in memory while they cannot be stored; new rows beyond it are dropped. */
const ROWS_MAX = 500_000;
const NAMES: readonly FunnelRow['exit'][] = [...FUNNEL_EXITS, 'bid', 'sent', ...ID_STATES];
const SENT = NAMES.indexOf('sent');
const IDS = SENT + 1;
/** By the code of an exit: whether requests that leave there are targeted by the ad set. */
const IS_TARGETED: readonly boolean[] = [
  ...FUNNEL_STEPS.flatMap(({ step, exits }) => exits.map(() => step !== 'open' && step !== 'targeted')),
  true,
];
const OUTBID = codeOf('outbid');

/** Adds up explained requests and sent bids by ad set, hour and exit, until they are taken. */
export class FunnelCounts {
  #present = new HourCounts(NAMES.length);
  #presentHour = -1;
  /** Counts of hours that ended since the rows were taken. */
  #ended: { counts: HourCounts; hour: number }[] = [];
  /** Rows of ad sets that outbid others, and rows that could not be stored, by their key. */
  #others = new Map<string, FunnelRow>();

  /** Adds an explained request of all `candidates` that stands for `weight` requests, with the state of its advertising id. */
  add(
    candidates: readonly Candidate[],
    { exits, outbidBy }: Explained,
    { atMs, weight, idState }: { atMs: number; weight: number; idState: IdState },
  ): void {
    this.#turnTo(Math.floor(atMs / HOUR_MS));
    const slots = this.#present.slotsOf(candidates);
    const idCode = IDS + ID_STATES.indexOf(idState);
    for (let index = 0; index < slots.length; index += 1) {
      const code = exits[index]!;
      if (IS_TARGETED[code]) this.#present.add(slots[index]!, idCode, weight, this.#hasRoom());
      const by = code === OUTBID ? outbidBy.get(candidates[index]!) : undefined;
      if (!by) this.#present.add(slots[index]!, code, weight, this.#hasRoom());
      else
        this.#merge({
          ...rowOf(candidates[index]!, NAMES[code]!, by.adsetId, this.#presentHour),
          requests: weight,
          samples: 1,
          variance: weight * (weight - 1),
        });
    }
  }

  /** Adds a bid that was sent. */
  addSent(bid: AdsetIds, atMs: number): void {
    this.#turnTo(Math.floor(atMs / HOUR_MS));
    this.#present.add(this.#present.slotOf(bid), SENT, 1, this.#hasRoom());
  }

  /**
   * Starts again from zero, and returns the rows so far, which are created as they are read. Rows may have the same key: the
   * database sums them.
   */
  take(): IterableIterator<FunnelRow> {
    this.#turnTo(-1);
    const rows = rowsOf(this.#ended, this.#others);
    this.#ended = [];
    this.#others = new Map();
    return rows;
  }

  /** Number of rows. */
  get size(): number {
    let size = this.#present.size + this.#others.size;
    for (const { counts } of this.#ended) size += counts.size;
    return size;
  }

  /** Adds rows that could not be stored. */
  restore(rows: readonly FunnelRow[]): void {
    for (const row of rows) this.#merge(row);
  }

  #turnTo(hour: number): void {
    if (hour === this.#presentHour) return;
    if (this.#present.size > 0) this.#ended.push({ counts: this.#present, hour: this.#presentHour });
    this.#present = new HourCounts(NAMES.length);
    this.#presentHour = hour;
  }

  #merge(row: FunnelRow): void {
    const key = `${row.adset_id} ${row.exit} ${row.by} ${row.hourMs}`;
    const known = this.#others.get(key);
    if (known) {
      known.requests += row.requests;
      known.samples += row.samples;
      known.variance += row.variance;
    } else if (this.#hasRoom()) this.#others.set(key, { ...row });
  }

  #hasRoom(): boolean {
    return this.size < ROWS_MAX;
  }
}

function* rowsOf(
  hours: readonly { counts: HourCounts; hour: number }[],
  others: ReadonlyMap<string, FunnelRow>,
): Generator<FunnelRow, undefined> {
  yield* others.values();
  for (const { counts, hour } of hours)
    for (const { ids, code, ...sums } of counts.sums())
      yield { ...rowOf(ids, NAMES[code]!, '', hour), ...sums };
}

function rowOf(
  { companyId, campaignId, adsetId }: AdsetIds,
  exit: FunnelRow['exit'],
  by: string,
  hour: number,
): FunnelRow {
  return {
    hourMs: hour * HOUR_MS,
    company_id: companyId,
    campaign_id: campaignId,
    adset_id: adsetId,
    exit,
    by,
    requests: 0,
    samples: 0,
    variance: 0,
  };
}

/** The ids of an ad set, its campaign and its company. */
interface AdsetIds {
  companyId: string;
  campaignId: string;
  adsetId: string;
}

/** Requests of an ad set with one code; see `FunnelRow`. */
interface Sums {
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
class HourCounts {
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
