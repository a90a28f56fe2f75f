import { LRUCache } from 'lru-cache';
import type { BidRef } from '../model/event.ts';
import { RATE_HALF_LIFE_MS, trainableInstalls } from './plausibility.ts';

/** Clicks, and installs that were learned from, of an ad set in a publisher's app. */
export interface InstallCounts {
  adsetId: string;
  bundle: string;
  clicks: number;
  installs: number;
}

interface Cell {
  clicks: number;
  installs: number;
  /** Until when both are faded. */
  atMs: number;
}

/** Pairs of an ad set and a publisher's app that are remembered: those without events longest are dropped. */
const PAIRS_MAX = 100_000;

/** What fading may take off counts of a few minutes. */
const FADED = 0.01;

/** Judges whether an ad set's installs in a publisher's app are too many for its clicks there. In memory and bounded. */
export class InstallRates {
  readonly #cells = new LRUCache<string, Cell>({ max: PAIRS_MAX });

  /** A click of a person. */
  addClick(ref: Pick<BidRef, 'adsetId' | 'bundle'>, atMs: number): void {
    this.#cellOf(ref, atMs).clicks += 1;
  }

  /** Whether one more install is plausible; if so it is counted. */
  admitInstall(ref: Pick<BidRef, 'adsetId' | 'bundle'>, atMs: number): boolean {
    const cell = this.#cellOf(ref, atMs);
    if (cell.installs + 1 > trainableInstalls(cell.clicks) + FADED) return false;
    cell.installs += 1;
    return true;
  }

  /** An install was taken back. */
  removeInstall(ref: Pick<BidRef, 'adsetId' | 'bundle'>, atMs: number): void {
    const cell = this.#cellOf(ref, atMs);
    cell.installs = Math.max(0, cell.installs - 1);
  }

  /** Adds what was counted before this process began. */
  recall(counts: Iterable<InstallCounts>, atMs: number): void {
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
