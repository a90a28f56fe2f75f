import type { Logger } from 'pino';
import { groupBy } from '../../platform/group-by.ts';
import { type Bus, MESSAGE_BYTES_MAX, subscribeTo, versioned } from '../../platform/nats/bus.ts';
import { uuidIn, writeUuid } from '../trackers/uuid-bytes.ts';
import { type BidOutcome, tagOf } from './leases.ts';

/** Version of the format: for each bid a byte, 1 if it was charged, then the 16 bytes of its id. */
const VERSION = 1;
const UUID_BYTES = 16;
const RECORD_BYTES = 1 + UUID_BYTES;
const RECORDS_MAX = Math.floor((MESSAGE_BYTES_MAX - 1) / RECORD_BYTES);

const subjectOf = (tag: string): string => `bidwell.bidder.${tag}`;

/**
 * Notifies bidders of the outcomes of their bids, one message for each bidder. To be called after the outcomes are
 * committed in PostgreSQL, from which a bidder takes them if the message is lost.
 */
export function publishOutcomes(bus: Bus, outcomes: readonly BidOutcome[]): void {
  for (const [tag, own] of groupBy(outcomes, ({ bidId }) => tagOf(bidId)))
    for (let from = 0; from < own.length; from += RECORDS_MAX)
      bus.publish(subjectOf(tag), versioned(VERSION, encode(own.slice(from, from + RECORDS_MAX))));
}

/** Calls `listener` with the outcomes of a bidder's bids that other processes booked. */
export function subscribeOutcomes(
  bus: Bus,
  { bidderId, log }: { bidderId: string; log: Logger },
  listener: (outcome: BidOutcome) => void,
): void {
  subscribeTo(bus, { subject: subjectOf(tagOf(bidderId)), version: VERSION, log }, (content) => {
    const outcomes = decode(content);
    for (const outcome of outcomes ?? []) listener(outcome);
    return outcomes !== null;
  });
}

function encode(outcomes: readonly BidOutcome[]): Buffer {
  const content = Buffer.alloc(outcomes.length * RECORD_BYTES);
  let at = 0;
  for (const { bidId, charged } of outcomes) {
    content[at] = charged ? 1 : 0;
    at = writeUuid(content, at + 1, bidId);
  }
  return content;
}

function decode(content: Buffer): BidOutcome[] | null {
  if (content.length % RECORD_BYTES !== 0) return null;
  const outcomes: BidOutcome[] = [];
  for (let at = 0; at < content.length; at += RECORD_BYTES) {
    if (content[at]! > 1) return null;
    const bidId = uuidIn(content.toString('hex', at + 1, at + RECORD_BYTES), 0);
    outcomes.push({ bidId, charged: content[at] === 1 });
  }
  return outcomes;
}
