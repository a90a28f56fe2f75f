import { dateAt } from '@bidwell/contract/lib/calendar';
import type { Micros } from '@bidwell/contract/lib/money';
import {
  type AdsetAccount,
  type BidOutcome,
  ENDED_MS,
  LEASE_MS,
  type LeaseRequest,
  type LeaseResponse,
  type LeaseStore,
  SILENCE_MS,
  type Spend,
  accountKey,
  decideLeases,
} from '@bidwell/server/delivery/pacing/leases';
import { type PaceState, QUARTER_MS } from '@bidwell/server/delivery/pacing/pace';

interface Held {
  companyId: string | null;
  micros: Micros;
  /** The part that stays leased when the bidder ends: reservations of its bids. */
  retainedMicros: Micros;
  /** How long bids may reserve it after the bidder stopped, ms. */
  reservedMs: number;
}

interface Spent {
  /** Null for a country, whose spend is part of the ad set's. */
  companyId: string | null;
  everMicros: Micros;
  day: string;
  dayMicros: Micros;
  pace: PaceState | null;
}

/** A lease store in memory, with the same rules as the one in PostgreSQL and a clock of its own. */
export class MemoryLeases implements LeaseStore {
  readonly #now: () => number;
  readonly #timeZone: string;
  readonly #spent = new Map<string, Spent>();
  /** Leases by bidder and ad set. */
  readonly #leases = new Map<string, Map<string, Held>>();
  /** Expired bidders, of whose leases only the reservations of their bids are left. */
  readonly #ended = new Set<string>();
  /** Bids of expired bidders that have been settled since. */
  readonly #endedBids = new Set<string>();
  readonly #seenAtMs = new Map<string, number>();
  readonly #outcomes = new Map<string, BidOutcome[]>();
  #day = { untilMs: -Infinity, date: '' };

  constructor(now: () => number, timeZone = 'UTC') {
    this.#now = now;
    this.#timeZone = timeZone;
  }

  async sync(bidderId: string, requests: readonly LeaseRequest[], lagMs = 0): Promise<LeaseResponse> {
    return this.syncNow(bidderId, requests, lagMs);
  }

  syncNow(bidderId: string, requests: readonly LeaseRequest[], lagMs = 0): LeaseResponse {
    const nowMs = this.#now();
    for (const [id, seenAtMs] of this.#seenAtMs) {
      if (seenAtMs > nowMs - LEASE_MS - lagMs) continue;
      this.#seenAtMs.delete(id);
      this.#leases.delete(id);
      this.#outcomes.delete(id);
      this.#ended.delete(id);
    }
    this.#seenAtMs.set(bidderId, nowMs);
    this.#ended.delete(bidderId);
    for (const [id, seenAtMs] of this.#seenAtMs) if (seenAtMs <= nowMs - ENDED_MS) this.#end(id);
    for (const id of this.#ended) {
      this.#settleEnded(id);
      this.#expire(id, nowMs - SILENCE_MS - lagMs);
    }
    const own = this.#leases.get(bidderId) ?? new Map<string, Held>();
    this.#leases.set(bidderId, own);
    const companies = this.#companyAccounts(requests);
    const adsets = new Map(
      requests.map((request) => [accountKey(request), this.#adsetAccount(request, own, nowMs)]),
    );
    const bidders = [...this.#seenAtMs.values()].filter((atMs) => atMs > nowMs - SILENCE_MS).length;
    const decisions = decideLeases(requests, { adsets, companies }, bidders, nowMs);
    decisions.forEach(({ lease, pace, retainedMicros }, index) => {
      const { country, companyId, reservedMs } = requests[index]!;
      const key = accountKey(requests[index]!);
      const payer = country ? null : companyId;
      if (lease.micros > 0)
        own.set(key, { companyId: payer, micros: lease.micros, retainedMicros, reservedMs });
      else own.delete(key);
      if (pace) this.#spentOf(key, payer).pace = pace;
    });
    const outcomes = this.#outcomes.get(bidderId) ?? [];
    this.#outcomes.delete(bidderId);
    return { nowMs, leases: decisions.map(({ lease }) => lease), outcomes, bidders };
  }

  /** Books the spend of events, and stores the outcomes of bids for the bidders that made them. */
  book(spends: readonly Spend[], outcomes: readonly (BidOutcome & { bidderId: string })[]): void {
    const day = this.#dayAt(this.#now());
    for (const { adsetId, companyId, country, micros } of spends) {
      const accounts = [this.#spentOf(adsetId, companyId)];
      if (country) accounts.push(this.#spentOf(accountKey({ adsetId, country }), null));
      for (const spent of accounts) {
        if (spent.day !== day) [spent.day, spent.dayMicros] = [day, 0];
        spent.dayMicros += micros;
        spent.everMicros += micros;
      }
    }
    for (const { bidderId, ...outcome } of outcomes) {
      const waiting = this.#outcomes.get(bidderId);
      if (waiting) waiting.push(outcome);
      else this.#outcomes.set(bidderId, [outcome]);
    }
  }

  /** Total amount of an ad set, or of its daily budget in a country, that is leased to all bidders. */
  leasedMicros(adsetId: string, country?: string): Micros {
    const key = accountKey({ adsetId, country });
    let micros = 0;
    for (const leases of this.#leases.values()) micros += leases.get(key)?.micros ?? 0;
    return micros;
  }

  #end(bidderId: string): void {
    if (this.#ended.has(bidderId)) return;
    this.#ended.add(bidderId);
    for (const lease of this.#leases.get(bidderId)?.values() ?? [])
      lease.micros = Math.min(lease.micros, lease.retainedMicros);
  }

  #expire(bidderId: string, beforeMs: number): void {
    const leases = this.#leases.get(bidderId);
    for (const [adsetId, { reservedMs }] of leases ?? [])
      if (this.#seenAtMs.get(bidderId)! + reservedMs < beforeMs) leases!.delete(adsetId);
  }

  #settleEnded(bidderId: string): void {
    for (const { bidId, held } of this.#outcomes.get(bidderId) ?? []) {
      if (!held || this.#endedBids.has(bidId)) continue;
      this.#endedBids.add(bidId);
      for (const country of new Set([undefined, held.country])) {
        const lease = this.#leases.get(bidderId)?.get(accountKey({ ...held, country }));
        if (lease) lease.micros = Math.max(0, lease.micros - held.micros);
      }
    }
    this.#outcomes.delete(bidderId);
  }

  #adsetAccount(
    { adsetId, country, companyId }: LeaseRequest,
    own: ReadonlyMap<string, { micros: Micros }>,
    nowMs: number,
  ): AdsetAccount {
    const key = accountKey({ adsetId, country });
    const { everMicros, day, dayMicros, pace } = this.#spentOf(key, country ? null : companyId);
    return {
      everMicros,
      dayMicros: day === this.#dayAt(nowMs) ? dayMicros : 0,
      leasedMicros: this.leasedMicros(adsetId, country),
      ownMicros: own.get(key)?.micros ?? 0,
      pace,
    };
  }

  /** The accounts of the companies that ask, in one pass: a company has many ad sets. */
  #companyAccounts(requests: readonly LeaseRequest[]) {
    const accounts = new Map(
      requests.map(({ companyId }) => [companyId, { spentMicros: 0, leasedMicros: 0 }]),
    );
    for (const { companyId, everMicros } of this.#spent.values()) {
      const account = companyId === null ? undefined : accounts.get(companyId);
      if (account) account.spentMicros += everMicros;
    }
    for (const leases of this.#leases.values())
      for (const { companyId, micros } of leases.values()) {
        const account = companyId === null ? undefined : accounts.get(companyId);
        if (account) account.leasedMicros += micros;
      }
    return accounts;
  }

  /** The date in the time zone, cached until the next quarter hour, since days begin on quarter hours only. */
  #dayAt(nowMs: number): string {
    if (nowMs >= this.#day.untilMs || nowMs < this.#day.untilMs - QUARTER_MS) {
      const untilMs = (Math.floor(nowMs / QUARTER_MS) + 1) * QUARTER_MS;
      this.#day = { untilMs, date: dateAt(nowMs, this.#timeZone) };
    }
    return this.#day.date;
  }

  #spentOf(key: string, companyId: string | null): Spent {
    let spent = this.#spent.get(key);
    if (!spent)
      this.#spent.set(key, (spent = { companyId, everMicros: 0, day: '', dayMicros: 0, pace: null }));
    return spent;
  }
}
