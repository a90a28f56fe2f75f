import type { Logger } from 'pino';
import { type Bus, MESSAGE_BYTES_MAX, subscribeTo, versioned } from '../../platform/nats/bus.ts';
import type { DeliveryEvent } from '../model/event.ts';
import type { Digest } from '../model/frequency.ts';
import { type CappedBid, type CappedOutcome, outcomeOf } from './frequency-caps.ts';

/**
 * Version of the format: when the message was sent (Unix ms, a double), and for each bid a byte of what happened, the digests of the bid, the
 * person, the ad set and the campaign, and a number of seconds: how long a bid that was sent counts, or when an impression was (Unix).
 */
const VERSION = 1;
const SUBJECT = 'bidwell.frequency';
const HEAD_BYTES = 8;
const RECORD_BYTES = 1 + 4 * 8 + 4;
const RECORDS_MAX = Math.floor((MESSAGE_BYTES_MAX - 1 - HEAD_BYTES) / RECORD_BYTES);
const KINDS = ['sent', 'impression', 'lost'] as const;

/** Bytes of messages that wait for a connection; further ones are dropped. */
const WAITING_BYTES_MAX = 4 * 2 ** 20;

/** The others need a moment to connect again, too, ms. */
const OTHERS_UP_MS = 2000;

/** How long bids and outcomes are collected for one message, ms. */
export const COLLECT_MS = 20;

/** A bid of an ad set with frequency caps that was sent, and how long it counts. */
export interface SentBid extends CappedBid {
  durationMs: number;
}

/** Publishes bids and outcomes of ad sets with frequency caps to all bidders, collected for a moment; without a connection, once there is one. */
export class FrequencyPublisher {
  readonly #bus: Bus;
  readonly #now: () => Date;
  #content = Buffer.alloc(HEAD_BYTES);
  #records = 0;
  #timer: NodeJS.Timeout | undefined;
  #dropped = 0;
  #publishedAtMs = -Infinity;
  /** Messages that wait for a connection, in their order, and their bytes. */
  #waiting: Buffer[] = [];
  #waitingBytes = 0;

  constructor(bus: Bus, now: () => Date) {
    this.#bus = bus;
    this.#now = now;
    bus.onUp(() => void setTimeout(() => this.#publishWaiting(), OTHERS_UP_MS).unref());
  }

  /** Bids and outcomes that were not published, because there was no connection for long. */
  get dropped(): number {
    return this.#dropped;
  }

  /** When messages were last published, Unix ms; -Infinity before the first. */
  get publishedAtMs(): number {
    return this.#publishedAtMs;
  }

  sent(bid: SentBid): void {
    this.#add(bid, 'sent', Math.ceil(bid.durationMs / 1000));
  }

  ended(outcome: CappedOutcome): void {
    this.#add(outcome, outcome.isImpression ? 'impression' : 'lost', Math.ceil(outcome.atMs / 1000));
  }

  /** Publishes the outcomes of events that were counted. */
  endedBy(events: readonly DeliveryEvent[]): void {
    for (const event of events) {
      const outcome = outcomeOf(event);
      if (outcome) this.ended(outcome);
    }
  }

  /** Publishes what was collected. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#records === 0) return;
    const nowMs = this.#now().getTime();
    const content = this.#content.subarray(0, HEAD_BYTES + this.#records * RECORD_BYTES);
    content.writeDoubleLE(nowMs, 0);
    const message = versioned(VERSION, content);
    if (this.#bus.publish(SUBJECT, message)) this.#publishedAtMs = nowMs;
    else if (this.#waitingBytes + message.length <= WAITING_BYTES_MAX) {
      this.#waiting.push(message);
      this.#waitingBytes += message.length;
    } else this.#dropped += this.#records;
    this.#records = 0;
  }

  #publishWaiting(): void {
    const left = this.#waiting.findIndex((message) => !this.#bus.publish(SUBJECT, message));
    this.#waiting.splice(0, left < 0 ? this.#waiting.length : left);
    this.#waitingBytes = this.#waiting.reduce((bytes, { length }) => bytes + length, 0);
  }

  #add(
    { bid, person, adsetSubject, campaignSubject }: CappedBid,
    kind: (typeof KINDS)[number],
    seconds: number,
  ): void {
    let at = HEAD_BYTES + this.#records * RECORD_BYTES;
    if (at + RECORD_BYTES > this.#content.length) {
      const larger = Buffer.alloc(
        Math.min(HEAD_BYTES + RECORDS_MAX * RECORD_BYTES, this.#content.length * 2 + RECORD_BYTES * 16),
      );
      this.#content.copy(larger);
      this.#content = larger;
    }
    this.#content[at] = KINDS.indexOf(kind);
    at += 1;
    for (const digest of [bid, person, adsetSubject, campaignSubject]) {
      this.#content.writeUInt32LE(digest.high, at);
      this.#content.writeUInt32LE(digest.low, at + 4);
      at += 8;
    }
    this.#content.writeUInt32LE(seconds, at);
    this.#records += 1;
    if (this.#records === RECORDS_MAX) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), COLLECT_MS).unref();
  }
}

/** What a bidder does with the messages of other processes. */
export interface FrequencyListener {
  sent(bid: SentBid): void;
  ended(outcome: CappedOutcome): void;
  /** Called for each message with the time since it was sent, ms, by the clocks of both processes. */
  received(lagMs: number): void;
}

/** Calls `listener` with the bids and outcomes of other processes. */
export function subscribeFrequency(
  bus: Bus,
  { log, now }: { log: Logger; now: () => Date },
  listener: FrequencyListener,
): void {
  subscribeTo(bus, { subject: SUBJECT, version: VERSION, log }, (content) => {
    if (content.length < HEAD_BYTES || (content.length - HEAD_BYTES) % RECORD_BYTES !== 0) return false;
    for (let at = HEAD_BYTES; at < content.length; at += RECORD_BYTES)
      if (content[at]! >= KINDS.length) return false;
    listener.received(Math.max(0, now().getTime() - content.readDoubleLE(0)));
    for (let at = HEAD_BYTES; at < content.length; at += RECORD_BYTES) readRecord(content, at, listener);
    return true;
  });
}

function readRecord(content: Buffer, at: number, listener: FrequencyListener): void {
  const kind = KINDS[content[at]!];
  const bid: CappedBid = {
    bid: digestAt(content, at + 1),
    person: digestAt(content, at + 9),
    adsetSubject: digestAt(content, at + 17),
    campaignSubject: digestAt(content, at + 25),
  };
  const ms = content.readUInt32LE(at + 33) * 1000;
  if (kind === 'sent') listener.sent({ ...bid, durationMs: ms });
  else listener.ended({ ...bid, isImpression: kind === 'impression', atMs: ms });
}

function digestAt(content: Buffer, at: number): Digest {
  return { high: content.readUInt32LE(at), low: content.readUInt32LE(at + 4) };
}
