import { v4 as uuidv4 } from 'uuid';
import { expect, test } from 'vitest';
import { encodeEvent } from '../event-log/event-record.ts';
import { partitionOf } from '../event-store/event-store.ts';
import { sampleRef } from '../trackers/sample-ref.ts';
import { readSegment } from '../event-log/segment-format.ts';
import { newBidId } from '../openrtb/bid.ts';
import { MESSAGE_BYTES_MAX, batchOf, bidIdIn, messagesOf } from './message.ts';

const recordOf = (bundle = 'com.example.game') => {
  const ref = sampleRef({ bundle });
  const event = { kind: 'win' as const, atMs: 1, ref, spendMicros: 0, lossReason: 0, mark: '' as const };
  return { record: encodeEvent(event), bidId: ref.bidId };
};

test('a partition gets the records of its bids, in order, in messages of limited size', () => {
  const records = Array.from({ length: 3000 }, () => recordOf());
  const groups = messagesOf(records, 4);
  expect(groups.map(({ partition }) => partition).toSorted()).toEqual([0, 1, 2, 3]);
  for (const { partition, messages } of groups) {
    expect(messages.length).toBeGreaterThan(1);
    expect(messages.every(({ length }) => length <= MESSAGE_BYTES_MAX)).toBe(true);
    const read = messages.flatMap((message) => readSegment(message).records.map((record) => bidIdIn(record)));
    const own = records.filter(({ bidId }) => partitionOf(bidId, 4) === partition);
    expect(read).toEqual(own.map(({ bidId }) => bidId));
  }
});

test('the bid of a record is found with any text in its fields', () => {
  const { record, bidId } = recordOf(`","bidId":"${uuidv4()}`);
  expect(bidIdIn(record)).toBe(bidId);
  expect(bidIdIn(Buffer.from('{"kind":"win"}'))).toBeNull();
});

test('bids of one bidder are spread evenly over the partitions', () => {
  const counts = Array.from({ length: 32 }, () => 0);
  for (let bid = 0; bid < 32_000; bid += 1) counts[partitionOf(newBidId('0a1b2c3d'), 32)]! += 1;
  expect(Math.min(...counts)).toBeGreaterThan(800);
  expect(Math.max(...counts)).toBeLessThan(1200);
});

test('the batch of a message is a UUID that names its stream, partition and number', () => {
  expect(batchOf('EVENTS 2026-05-01T12:00:00Z', 31, 2 ** 40)).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-801f-8000-010000000000$/,
  );
  const ids = [batchOf('a', 1, 7), batchOf('b', 1, 7), batchOf('a', 2, 7), batchOf('a', 1, 8)];
  expect(new Set(ids).size).toBe(4);
});
