import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import { FUNNEL_EXITS } from '@bidwell/contract/insight/funnel';
import type { Candidate } from '../model/candidate.ts';
import type { Explained } from './explain.ts';
import { codeOf } from './exits.ts';
import { type AdsetIds, HourCounts } from './hour-counts.ts';

/** `bid` is not an exit: the ad set bid on these sampled requests. `sent` counts all bids, not a sample. */
export type CountedExit = FunnelExit | 'bid' | 'sent';

/** Requests that left the funnel of an ad set at one exit in an hour. */
export interface FunnelRow {
  /** Start of the hour, Unix ms. */
  hourMs: number;
  company_id: string;
  campaign_id: string;
  adset_id: string;
  exit: CountedExit;
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
const NAMES: readonly CountedExit[] = [...FUNNEL_EXITS, 'bid', 'sent'];
const SENT = NAMES.indexOf('sent');
const OUTBID = codeOf('outbid');

/** Adds up explained requests and sent bids by ad set, hour and exit, until they are taken. */
export class FunnelCounts {
  #present = new HourCounts(NAMES.length);
  #presentHour = -1;
  /** Of hours that ended since the rows were taken. */
  #ended: { counts: HourCounts; hour: number }[] = [];
  /** Rows of ad sets that outbid others, and rows that could not be stored, by their key. */
  #others = new Map<string, FunnelRow>();

  /** Adds an explained request of all `candidates` that stands for `weight` requests. */
  add(
    candidates: readonly Candidate[],
    { exits, outbidBy }: Explained,
    { atMs, weight }: { atMs: number; weight: number },
  ): void {
    this.#turnTo(Math.floor(atMs / HOUR_MS));
    const slots = this.#present.slotsOf(candidates);
    for (let index = 0; index < slots.length; index += 1) {
      const code = exits[index]!;
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
  exit: CountedExit,
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
