import type { FunnelExit } from '@bidwell/contract/funnel';
import { FUNNEL_EXITS } from '@bidwell/contract/funnel';
import type { Candidate } from '../model/candidate.ts';
import type { Explained } from './explain.ts';
import { BID } from './exits.ts';

/** `bid` is no exit: the ad set bid on these sampled requests. `sent` counts all bids, not a sample. */
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
  /** Sum of w (w − 1) over the samples, which stand for w requests each: the variance of `requests` at most. */
  variance: number;
}

interface AdsetIds {
  companyId: string;
  campaignId: string;
  adsetId: string;
}

const HOUR_MS = 3_600_000;
/** Most rows in memory, while they cannot be stored; beyond it what is new is dropped. */
const ROWS_MAX = 500_000;
const NAMES: readonly CountedExit[] = [...FUNNEL_EXITS, 'bid', 'sent'];
const SENT = NAMES.indexOf('sent');

/** Adds up explained requests and sent bids by ad set, hour and exit, until they are taken. */
export class FunnelCounts {
  /** Rows of the present hour by ad set, then by exit's code; few ad sets have rows of other kinds. */
  #present = new Map<string, (FunnelRow | undefined)[]>();
  #presentHour = -1;
  /** Rows of other hours, and of ad sets that outbid others, by their key. */
  #others = new Map<string, FunnelRow>();
  #size = 0;

  /** Adds an explained request that stands for `weight` requests. */
  add(
    candidates: readonly Candidate[],
    { exits, outbidBy }: Explained,
    { atMs, weight }: { atMs: number; weight: number },
  ): void {
    this.#turnTo(Math.floor(atMs / HOUR_MS));
    const variance = weight * (weight - 1);
    for (const candidate of candidates) {
      const code = exits[candidate.index]!;
      const by = code === BID || outbidBy.size === 0 ? undefined : outbidBy.get(candidate);
      const row = by
        ? this.#otherRow(candidate, NAMES[code]!, by.adsetId, atMs)
        : this.#presentRow(candidate, code);
      if (!row) continue;
      row.requests += weight;
      row.samples += 1;
      row.variance += variance;
    }
  }

  /** Adds a bid that was sent. */
  addSent(bid: AdsetIds, atMs: number): void {
    this.#turnTo(Math.floor(atMs / HOUR_MS));
    const row = this.#presentRow(bid, SENT);
    if (!row) return;
    row.requests += 1;
    row.samples += 1;
  }

  /** Returns all rows and begins anew. Rows may have the same key: they are summed where they are stored. */
  take(): FunnelRow[] {
    const rows = [...this.#others.values()];
    for (const present of this.#present.values()) for (const row of present) if (row) rows.push(row);
    this.#others = new Map();
    this.#present = new Map();
    this.#size = 0;
    return rows;
  }

  /** Number of rows. */
  get size(): number {
    return this.#size;
  }

  /** Adds rows that could not be stored. */
  restore(rows: readonly FunnelRow[]): void {
    for (const row of rows) this.#merge(row);
  }

  /** Moves the rows of the hour so far to the others. */
  #turnTo(hour: number): void {
    if (hour === this.#presentHour) return;
    const ended = this.#present;
    this.#present = new Map();
    this.#presentHour = hour;
    for (const rows of ended.values())
      for (const row of rows) {
        if (!row) continue;
        this.#size -= 1;
        this.#merge(row);
      }
  }

  #merge({ requests, samples, variance, ...from }: FunnelRow): void {
    const ids = { companyId: from.company_id, campaignId: from.campaign_id, adsetId: from.adset_id };
    const row = this.#otherRow(ids, from.exit, from.by, from.hourMs);
    if (!row) return;
    row.requests += requests;
    row.samples += samples;
    row.variance += variance;
  }

  #presentRow(ids: AdsetIds, code: number): FunnelRow | null {
    let rows = this.#present.get(ids.adsetId);
    if (!rows) this.#present.set(ids.adsetId, (rows = []));
    const known = rows[code];
    if (known) return known;
    if (!this.#hasRoom()) return null;
    return (rows[code] = rowOf(ids, NAMES[code]!, '', this.#presentHour));
  }

  #otherRow(ids: AdsetIds, exit: CountedExit, by: string, atMs: number): FunnelRow | null {
    const hour = Math.floor(atMs / HOUR_MS);
    const key = `${ids.adsetId} ${exit} ${by} ${hour}`;
    let row = this.#others.get(key);
    if (row) return row;
    if (!this.#hasRoom()) return null;
    row = rowOf(ids, exit, by, hour);
    this.#others.set(key, row);
    return row;
  }

  #hasRoom(): boolean {
    if (this.#size >= ROWS_MAX) return false;
    this.#size += 1;
    return true;
  }
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
