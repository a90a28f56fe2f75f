import { FUNNEL_EXITS } from '@bidwell/contract/funnel';
import type { Candidate } from '../model/candidate.ts';
import type { Explained } from './explain.ts';
import type { ExitCode } from './exits.ts';
import { BID } from './exits.ts';

/** `bid` is no exit: the ad set bid on these sampled requests. `sent` counts all bids, not a sample. */
export type CountedExit = (typeof FUNNEL_EXITS)[number] | 'bid' | 'sent';

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

const HOUR_MS = 3_600_000;
/** Most rows in memory, while they cannot be stored; beyond it the newest are dropped. */
const ROWS_MAX = 500_000;

/** Adds up explained requests and sent bids by ad set, hour and exit, until they are taken. */
export class FunnelCounts {
  #rows = new Map<string, FunnelRow>();
  /** Requests and bids that were not counted, because there were too many rows. */
  dropped = 0;

  get size(): number {
    return this.#rows.size;
  }

  /** Adds an explained request that stands for `weight` requests. */
  add(
    candidates: readonly Candidate[],
    { exits, outbidBy }: Explained,
    { atMs, weight }: { atMs: number; weight: number },
  ): void {
    for (const candidate of candidates) {
      const by = outbidBy.get(candidate)?.adsetId ?? '';
      const row = this.#rowOf(candidate, nameOf(exits[candidate.index]!), by, atMs);
      if (!row) continue;
      row.requests += weight;
      row.samples += 1;
      row.variance += weight * (weight - 1);
    }
  }

  /** Adds a bid that was sent. */
  addSent(bid: { companyId: string; campaignId: string; adsetId: string }, atMs: number): void {
    const row = this.#rowOf(bid, 'sent', '', atMs);
    if (!row) return;
    row.requests += 1;
    row.samples += 1;
  }

  /** Returns all rows and begins anew. */
  take(): FunnelRow[] {
    const rows = [...this.#rows.values()];
    this.#rows = new Map();
    return rows;
  }

  /** Adds rows that could not be stored. */
  restore(rows: readonly FunnelRow[]): void {
    for (const { hourMs, by, exit, requests, samples, variance, ...ids } of rows) {
      const of = { companyId: ids.company_id, campaignId: ids.campaign_id, adsetId: ids.adset_id };
      const row = this.#rowOf(of, exit, by, hourMs);
      if (!row) continue;
      row.requests += requests;
      row.samples += samples;
      row.variance += variance;
    }
  }

  #rowOf(
    { companyId, campaignId, adsetId }: { companyId: string; campaignId: string; adsetId: string },
    exit: CountedExit,
    by: string,
    atMs: number,
  ): FunnelRow | null {
    const hour = Math.floor(atMs / HOUR_MS);
    const key = `${adsetId} ${exit} ${by} ${hour}`;
    let row = this.#rows.get(key);
    if (row) return row;
    if (this.#rows.size >= ROWS_MAX) {
      this.dropped += 1;
      return null;
    }
    row = {
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
    this.#rows.set(key, row);
    return row;
  }
}

function nameOf(code: ExitCode): CountedExit {
  return code === BID ? 'bid' : FUNNEL_EXITS[code]!;
}
