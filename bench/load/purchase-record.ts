import type { Person } from '@bidwell/exchange/in-app-behaviour';
import {
  type Conversion,
  type GoalRecord,
  type InstallGroup,
  LearnedGoal,
} from '@bidwell/server/delivery/learning/value-model';
import type { Goal } from '@bidwell/server/delivery/model/goal';
import { DAY_MS } from './value-world.ts';

/** A purchase, as the measurement partner reports it. */
export interface Purchase {
  installedAtMs: number;
  delayMs: number;
  /** Revenue, micros. */
  value: number;
}

/** Installs and purchases of an ad set, as the server's tables have them. */
export class PurchaseRecord {
  readonly #adsetId: string;
  readonly #installs: (Person & { atMs: number })[] = [];
  readonly #purchases: (Omit<Conversion, 'ageMs'> & { installedAtMs: number })[] = [];

  constructor(adsetId: string) {
    this.#adsetId = adsetId;
  }

  addInstall({ bundle, country }: Person, atMs: number): void {
    this.#installs.push({ bundle, country, atMs });
  }

  addPurchase({ bundle, country }: Person, purchase: Purchase): void {
    const person = String(this.#purchases.length);
    this.#purchases.push({ adsetId: this.#adsetId, bundle, country, person, ...purchase });
  }

  /** Learns the values of the installs so far by what has come of them so far. */
  learned({ windowMs, event, priorInstallMicros, price }: Goal, nowMs: number): LearnedGoal {
    return new LearnedGoal(this.#recordAt(windowMs, event === null, nowMs), priorInstallMicros / price);
  }

  /** The rows that the server's queries return. */
  #recordAt(windowMs: number, isRevenue: boolean, nowMs: number): GoalRecord {
    const conversions = this.#purchases
      .filter(({ installedAtMs, delayMs }) => installedAtMs + delayMs <= nowMs)
      .map(({ installedAtMs, ...one }) => ({ ...one, ageMs: nowMs - installedAtMs }));
    return { windowMs, isRevenue, installs: this.#groups(nowMs), conversions };
  }

  #groups(nowMs: number): InstallGroup[] {
    const groups = new Map<string, InstallGroup>();
    for (const { bundle, country, atMs } of this.#installs) {
      const ageMs = nowMs - atMs;
      if (ageMs <= 0) continue;
      const age = ageMs < DAY_MS ? Math.floor(ageMs / (DAY_MS / 8)) : 8 + Math.floor(ageMs / DAY_MS);
      const key = `${age} ${country} ${bundle}`;
      const group = groups.get(key);
      if (!group) groups.set(key, { adsetId: this.#adsetId, bundle, country, installs: 1, ageMs });
      else {
        group.ageMs += (ageMs - group.ageMs) / (group.installs + 1);
        group.installs += 1;
      }
    }
    return [...groups.values()];
  }
}
