import { CAP_LIMITS } from '@bidwell/contract/frequency/caps';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import { NO_SLOT } from '../../platform/slot-table.ts';
import type { Candidate } from '../model/candidate.ts';
import type { DeliveryEvent } from '../model/event.ts';
import { type CompiledCaps, type Digest, readDigest, subjectOf } from '../model/frequency.ts';
import { ImpressionTable } from './impression-table.ts';
import { type HeldCounters, OpenBids } from './open-bids.ts';

/** Part of the memory for bids under way; the rest is for impressions. */
const OPEN_SHARE = 1 / 4;
/** A bid under way waits no longer than this for notices to be counted, in seconds. */
const WAIT_SECONDS_MAX = 600;

/** A bid that counts for the caps of its ad set or campaign. */
export interface CappedBid {
  readonly bid: Digest;
  readonly person: Digest;
  readonly adsetSubject: Digest;
  readonly campaignSubject: Digest;
}

/** The outcome of a bid: an impression of the person at `atMs`, or none. */
export interface CappedOutcome extends CappedBid {
  readonly isImpression: boolean;
  readonly atMs: number;
}

/** The counts of a bidder, for operators. */
export interface FrequencyCounts {
  impressions: number;
  impressionsMax: number;
  openBids: number;
  openBidsMax: number;
  /** Impressions that were forgotten for want of memory while a cap may have needed them. */
  forgotten: number;
  /** Bids that other bidders sent while too many were under way here to hold them. */
  unheld: number;
}

/** Caps that an ad set of the snapshot has. */
interface Capped {
  readonly isAdset: boolean;
  readonly isCampaign: boolean;
}

/**
 * Counts how often people saw ad sets and campaigns with frequency caps. A bid counts from when it is sent until it is lost or expires; its
 * impression counts for as long as a cap needs it. A state machine without timers or I/O. Its memory is bounded: when it is full the oldest
 * impressions are forgotten, and while too many bids are under way ad sets with caps do not bid.
 */
export class FrequencyCaps {
  readonly #impressions: ImpressionTable;
  readonly #open: OpenBids;
  /** By the digest of the ad set, as a number. */
  #capped: ReadonlyMap<number, Capped> = new Map();
  #adsets: readonly Candidate[] | null = null;
  #neededSeconds = 0;
  #unheld = 0;
  readonly #countedMs: () => number;

  /** `countedMs` is until when all notices are counted, Unix ms: a bid does not expire before the notices of its time are. */
  constructor(bytes: number, countedMs: () => number = () => Infinity) {
    this.#impressions = new ImpressionTable(bytes * (1 - OPEN_SHARE));
    this.#open = new OpenBids(bytes * OPEN_SHARE);
    this.#countedMs = countedMs;
  }

  /** Sets the ad sets that may bid. */
  setCandidates(candidates: readonly Candidate[]): void {
    if (candidates === this.#adsets) return;
    this.#adsets = candidates;
    const capped = new Map<number, Capped>();
    let minutes = 0;
    for (const { caps } of candidates) {
      if (!caps) continue;
      capped.set(numberOf(caps.adsetSubject), {
        isAdset: caps.adset.length > 0,
        isCampaign: caps.campaign.length > 0,
      });
      for (const cap of [caps.adset, caps.campaign]) minutes = Math.max(minutes, cap.at(-1)?.minutes ?? 0);
    }
    this.#capped = capped;
    this.#neededSeconds = minutes * 60;
    this.#impressions.setNeeded(this.#neededSeconds);
  }

  /** The longest time of a cap, in seconds: older impressions are not needed. */
  get neededSeconds(): number {
    return this.#neededSeconds;
  }

  /**
   * Why an ad set may not bid for a person now; null if it may. `person` is null for someone whom no id identifies. The same request has
   * `placed` other bids of the campaign.
   */
  noBidReason(
    caps: CompiledCaps,
    person: Digest | null,
    nowMs: number,
    placed: number,
  ): Extract<NoBidReason, 'capped' | 'no_person_key' | 'overloaded'> | null {
    if (person === null) return caps.skipsWithoutId ? 'no_person_key' : null;
    this.#expire(nowMs);
    const { adset, campaign } = caps;
    if (adset.length > 0 && this.#isReached(person, caps.adsetSubject, adset, nowMs, 0)) return 'capped';
    if (campaign.length > 0 && this.#isReached(person, caps.campaignSubject, campaign, nowMs, placed))
      return 'capped';
    return this.#open.isFull ? 'overloaded' : null;
  }

  /** Counts a bid that is being sent, until its outcome or for `durationMs`. */
  sent(
    bid: CappedBid,
    caps: Pick<CompiledCaps, 'adset' | 'campaign'>,
    nowMs: number,
    durationMs: number,
  ): void {
    this.#hold(
      bid,
      { isAdset: caps.adset.length > 0, isCampaign: caps.campaign.length > 0 },
      nowMs,
      durationMs,
    );
  }

  /** Counts a bid that another bidder sent. */
  sentElsewhere(bid: CappedBid, nowMs: number, durationMs: number): void {
    if (this.#open.isFull) this.#unheld += 1;
    this.#hold(bid, this.#cappedBy(bid), nowMs, durationMs);
  }

  /** Ends a bid, of any bidder: it counts as an impression, or not at all. Repeated outcomes count once. */
  ended(outcome: CappedOutcome): void {
    const held = this.#open.take(outcome.bid);
    if (outcome.isImpression) this.#count(outcome);
    if (held) this.#release(held);
  }

  /**
   * Ends a bid that is open, by its id alone: charged, its impression counts, also where {@link FrequencyCaps.ended} tells it again.
   */
  settled(bidId: string, charged: boolean, nowMs: number): void {
    if (this.#open.size === 0) return;
    const bid = bidDigest(bidId);
    const held = this.#open.take(bid);
    if (!held) return;
    if (charged)
      for (const counter of [held.adset, held.campaign])
        if (counter !== NO_SLOT)
          this.#impressions.add(this.#impressions.digestOf(counter), shortDigest(bid), nowMs);
    this.#release(held);
  }

  /** Whether too many bids are under way: ad sets with caps do not bid. */
  get isFull(): boolean {
    return this.#open.isFull;
  }

  counts(): FrequencyCounts {
    return {
      impressions: this.#impressions.size,
      impressionsMax: this.#impressions.impressionsMax,
      openBids: this.#open.size,
      openBidsMax: this.#open.bidsMax,
      forgotten: this.#impressions.forgotten,
      unheld: this.#unheld,
    };
  }

  /** Frees what has expired, so that counts are right without bids. */
  expire(nowMs: number): void {
    this.#expire(nowMs);
  }

  /** What a file of the table has. */
  stored() {
    const digestOf = (counter: number): Digest | null =>
      counter === NO_SLOT ? null : this.#impressions.digestOf(counter);
    return {
      impressions: () => this.#impressions.stored(CAP_LIMITS.minutesMax * 60),
      open: function* (this: FrequencyCaps) {
        for (const { bid, held, expiresAt } of this.#open.all())
          yield { bid, adset: digestOf(held.adset), campaign: digestOf(held.campaign), expiresAt };
      }.bind(this),
    };
  }

  /** Adds an impression of a file. */
  restoreImpression(counter: Digest, bid: number, at: number): void {
    this.#impressions.add(counter, bid, at * 1000);
  }

  /** Adds an open bid of a file. */
  restoreOpen(
    bid: Digest,
    {
      adset,
      campaign,
      expiresAt,
      nowMs,
    }: { adset: Digest | null; campaign: Digest | null; expiresAt: number; nowMs: number },
  ): void {
    this.#expire(nowMs);
    if (expiresAt * 1000 <= nowMs || this.#open.isFull || this.#open.has(bid)) return;
    const hold = (counter: Digest | null) => (counter ? this.#impressions.hold(counter) : NO_SLOT);
    this.#open.add({ bid, held: { adset: hold(adset), campaign: hold(campaign) }, expiresAt });
  }

  #isReached(
    person: Digest,
    subject: Digest,
    caps: CompiledCaps['adset'],
    nowMs: number,
    placed: number,
  ): boolean {
    return this.#impressions.isReached(counterOf(person, subject), caps, nowMs, placed);
  }

  #hold(bid: CappedBid, { isAdset, isCampaign }: Capped, nowMs: number, durationMs: number): void {
    this.#expire(nowMs);
    if (this.#open.isFull || this.#open.has(bid.bid)) return;
    const held = {
      adset: isAdset ? this.#impressions.hold(counterOf(bid.person, bid.adsetSubject)) : NO_SLOT,
      campaign: isCampaign ? this.#impressions.hold(counterOf(bid.person, bid.campaignSubject)) : NO_SLOT,
    };
    this.#open.add({ bid: bid.bid, held, expiresAt: Math.ceil((nowMs + durationMs) / 1000) });
  }

  #count(outcome: CappedOutcome): void {
    const { isAdset, isCampaign } = this.#cappedBy(outcome);
    const { bid, person, atMs } = outcome;
    const add = (subject: Digest) =>
      this.#impressions.add(counterOf(person, subject), shortDigest(bid), atMs);
    if (isAdset) add(outcome.adsetSubject);
    if (isCampaign) add(outcome.campaignSubject);
  }

  /** The caps of a bid's ad set; both where the snapshot does not have it, and it may be in the next one. */
  #cappedBy({ adsetSubject }: CappedBid): Capped {
    return this.#capped.get(numberOf(adsetSubject)) ?? BOTH;
  }

  #release({ adset, campaign }: HeldCounters): void {
    if (adset !== NO_SLOT) this.#impressions.release(adset);
    if (campaign !== NO_SLOT) this.#impressions.release(campaign);
  }

  #expire(nowMs: number): void {
    const untilMs = Math.max(Math.min(nowMs, this.#countedMs()), nowMs - WAIT_SECONDS_MAX * 1000);
    this.#open.expire(Math.floor(untilMs / 1000), this.#freed);
  }

  readonly #freed = (held: HeldCounters): void => this.#release(held);
}

const BOTH: Capped = { isAdset: true, isCampaign: true };

/** 32 bits of the digest of a bid, by which its impression counts once. */
function shortDigest({ high, low }: Digest): number {
  return (high ^ low) >>> 0;
}

/** 52 bits of a digest. */
function numberOf({ high, low }: Digest): number {
  return high * 2 ** 20 + (low >>> 12);
}

/** The counter of a person and an ad set or a campaign: both digests, mixed so that no other pair has a part of it. */
function counterOf(person: Digest, subject: Digest): Digest {
  const high = mixed(person.high ^ mixed(subject.low ^ 0x9e37_79b9));
  return { high, low: mixed(person.low ^ mixed(subject.high ^ high)) };
}

/** The finalizer of MurmurHash3. */
function mixed(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85eb_ca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2_ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** The digest of a bid's id. */
export const bidDigest = subjectOf;

/** The outcome of a bid whose event was counted; null where it has no key of a person. */
export function outcomeOf({ kind, atMs, ref }: DeliveryEvent): CappedOutcome | null {
  const person = ref.personKey === undefined ? null : readDigest(ref.personKey);
  if (!person) return null;
  return {
    bid: subjectOf(ref.bidId),
    person,
    adsetSubject: subjectOf(ref.adsetId),
    campaignSubject: subjectOf(ref.campaignId),
    isImpression: kind !== 'loss',
    atMs,
  };
}
