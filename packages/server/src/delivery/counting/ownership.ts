import type { Fence } from '../event-log/spend-booking.ts';

/** A counter without a heartbeat for this long has ended; others take its partitions over. */
export const SILENCE_MS = 5000;
/**
 * A counter stops its work this long after the last heartbeat that PostgreSQL confirmed: before another one can take
 * its partitions over.
 */
export const FRESH_MS = 4000;

/** A round of a counter, as its insert is known by. */
export interface Round {
  /** A UUID. */
  id: string;
  /** Months of UTC of its events, `2026-05`. */
  months: string[];
}

/**
 * A partition of the stream, with how far it is counted. The numbers are sequence numbers of messages in the
 * stream.
 */
export interface PartitionState {
  partition: number;
  /** Grows with each owner. */
  epoch: number;
  /** The last message whose spend is booked. */
  bookedSeq: number;
  /**
   * When the stream received the latest of the booked messages, Unix ms: one with the number of a booked message that came
   * later is another one. Null of none, or where an earlier release booked it.
   */
  bookedAtMs: number | null;
  /** The last message whose events are stored, and all before it. */
  storedSeq: number;
  /** When the stream received that message, Unix ms; null of none, or where an earlier release stored it. */
  storedAtMs: number | null;
  /** The round that booked the last of them; null before the first one. */
  round: Round | null;
}

/** The partitions that a counter owns, and its share. */
export interface Ownership {
  owned: PartitionState[];
  /** Partitions that each counter should own, at most. */
  share: number;
  /** Partitions that no live counter owns. */
  unowned: number;
}

/** Another process owns a partition by now, or an earlier transaction has moved it; nothing was written. */
export class Fenced extends Error {
  constructor() {
    super('these events were booked already, or another process counts them');
  }
}

/** A step of a partition's positions. */
export interface PartitionMove extends PartitionState {
  /** The booked position before it: a transaction whose response was lost has moved it already. */
  fromSeq: number;
}

/** Owners and positions of one stream's partitions, shared by all counters. */
export interface PartitionStore {
  /**
   * Sends a heartbeat, takes over free partitions up to an even share, and returns the partitions that the counter
   * owns. A partition is free if it has no owner, or if its owner was silent for {@link SILENCE_MS}.
   */
  sync(): Promise<Ownership>;
  /** The partitions that the counter owns now. */
  owned(): Promise<PartitionState[]>;
  /**
   * A step of a transaction that moves positions. It throws {@link Fenced} unless the counter owns all partitions, and
   * each is booked up to where the move begins.
   */
  fence(moves: readonly PartitionMove[]): Fence;
  /** Moves the stored positions, and no others, of partitions that the counter still owns. */
  persist(positions: readonly PartitionState[]): Promise<void>;
  /** The same, and gives the partitions up. */
  release(positions: readonly PartitionState[]): Promise<void>;
  /**
   * Sets the booked and the stored position of a partition that the counter still owns back, and gives it up: the stream has
   * lost messages, and gives their numbers to others. The counter recognises stored events in the event table.
   */
  rewind(position: PartitionState): Promise<void>;
  /** Withdraws the heartbeat, which frees the partitions that the counter still owns. */
  leave(): Promise<void>;
}
