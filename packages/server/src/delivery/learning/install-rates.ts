import type { BidRef } from '../model/event.ts';
import { RATE_HALF_LIFE_MS, trainableInstalls } from './plausibility.ts';
import { lruCache } from '../../platform/lru-cache.ts';

/** Clicks and trained installs of an ad set in a publisher's app. */
export interface InstallCounts {
  adsetId: string;
  bundle: string;
  clicks: number;
  installs: number;
}

interface Cell {
  clicks: number;
  installs: number;
  /** Time up to which the decay is applied to both counts, Unix ms. */
  atMs: number;
}

/** Maximum pairs of ad set and publisher's app in memory; the least recently updated are evicted. */
const PAIRS_MAX = 100_000;

/** Tolerance for the decay of counts within minutes. */
const DECAYED_BELOW = 0.01;

/** Detects implausibly many installs per click of an ad set in a publisher's app. In memory and bounded. */
export class InstallRates {
  readonly #cells = lruCache<string, Cell>(PAIRS_MAX);

  /** Adds counted clicks. */
  addClicks(counts: Iterable<Omit<InstallCounts, 'installs'>>, atMs: number): void {
    for (const { clicks, ...pair } of counts) if (clicks > 0) this.#cellOf(pair, atMs).clicks += clicks;
  }

  /** Whether one more install is plausible; if so, counts it. */
  admitInstall(ref: Pick<BidRef, 'adsetId' | 'bundle'>, atMs: number): boolean {
    const cell = this.#cellOf(ref, atMs);
    if (cell.installs + 1 > trainableInstalls(cell.clicks) + DECAYED_BELOW) return false;
    cell.installs += 1;
    return true;
  }

  /** Subtracts a revoked install. */
  removeInstall(ref: Pick<BidRef, 'adsetId' | 'bundle'>, atMs: number): void {
    const cell = this.#cellOf(ref, atMs);
    cell.installs = Math.max(0, cell.installs - 1);
  }

  /** Adds counts from before this process started. */
  restoreCounts(counts: Iterable<InstallCounts>, atMs: number): void {
    for (const { clicks, installs, ...pair } of counts) {
      const cell = this.#cellOf(pair, atMs);
      cell.clicks += clicks;
      cell.installs += installs;
    }
  }

  #cellOf({ adsetId, bundle }: Pick<BidRef, 'adsetId' | 'bundle'>, atMs: number): Cell {
    const key = `${adsetId} ${bundle}`;
    const cell = this.#cells.get(key) ?? { clicks: 0, installs: 0, atMs };
    const share = 0.5 ** (Math.max(0, atMs - cell.atMs) / RATE_HALF_LIFE_MS);
    cell.clicks *= share;
    cell.installs *= share;
    cell.atMs = Math.max(cell.atMs, atMs);
    this.#cells.set(key, cell);
    return cell;
  }
}
