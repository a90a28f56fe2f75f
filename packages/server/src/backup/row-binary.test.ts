import * as fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import type { EventColumn } from './manifest.ts';
import { fixedBytes, inReadingOrder, msOfUuid, rowBinaryHex, rowReader } from './row-binary.ts';
import { ofKnownEntities } from './spool-events.ts';

const columns: EventColumn[] = inReadingOrder([
  { name: 'kind', type: 'LowCardinality(String)' },
  { name: 'bid_id', type: 'UUID' },
  { name: 'campaign_id', type: 'UUID' },
  { name: 'bundle', type: 'String' },
  { name: 'adset_id', type: 'UUID' },
  { name: 'spend_micros', type: 'Int64' },
]);
const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 10, 22, 12);

/** A row as ClickHouse writes it. */
function rowOf({
  bid = uuidv7(),
  campaign = uuidv7(),
  adset = uuidv7(),
  spend = 0,
  texts = ['win', 'a'],
}): Buffer {
  const amount = Buffer.alloc(8);
  amount.writeBigInt64LE(BigInt(spend));
  const ids = [bid, campaign, adset].map((id) => Buffer.from(rowBinaryHex(id), 'hex'));
  const written = texts.map((text) => {
    const bytes = Buffer.from(text);
    const length: number[] = [];
    for (let rest = bytes.length; ; rest = Math.floor(rest / 128)) {
      length.push(rest >= 128 ? (rest % 128) + 128 : rest);
      if (rest < 128) break;
    }
    return Buffer.concat([Buffer.from(length), bytes]);
  });
  return Buffer.concat([...ids, amount, ...written]);
}

test('rows are found wherever the stream is cut, with their spend', () => {
  const row = fc.record({
    spend: fc.integer({ min: -(2 ** 40), max: 2 ** 50 }),
    texts: fc.tuple(fc.string(), fc.string({ unit: 'binary', maxLength: 300, size: 'max' })),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), fc.integer({ min: 1, max: 1000 }), (rows, size) => {
      const bytes = Buffer.concat(rows.map(rowOf));
      const reader = rowReader(columns, null);
      const found: Buffer[] = [];
      let count = 0;
      let spend = 0;
      for (let at = 0; at < bytes.length; at += size) {
        const part = reader.push(bytes.subarray(at, at + size));
        found.push(...part.bytes);
        count += part.rows;
        spend += part.spendMicros;
      }
      expect(reader.isComplete()).toBe(true);
      expect([count, spend]).toEqual([rows.length, rows.reduce((sum, each) => sum + each.spend, 0)]);
      expect(Buffer.concat(found).equals(bytes)).toBe(true);
    }),
  );
});

test('a stream that ends within a row is incomplete', () => {
  const reader = rowReader(columns, null);
  reader.push(rowOf({}).subarray(0, -1));
  expect(reader.isComplete()).toBe(false);
});

test('events of campaigns and ad sets that are newer than the state are left out, and no others', () => {
  const at = (msecs: number) => uuidv7({ msecs });
  const [old, recent, later] = [at(NOW_MS - 48 * HOUR_MS), at(NOW_MS - 60_000), at(NOW_MS + 1000)];
  const bid = at(NOW_MS + 2000);
  const rows = [
    { bid, campaign: old, adset: recent },
    { bid, campaign: later, adset: old },
    { bid, campaign: old, adset: later },
    { bid: at(NOW_MS - 3 * HOUR_MS), campaign: later, adset: later },
  ];
  const reader = rowReader(columns, ofKnownEntities(NOW_MS, [recent]));
  const { rows: count, bytes } = reader.push(Buffer.concat(rows.map(rowOf)));
  expect(count).toBe(2);
  expect(Buffer.concat(bytes)).toEqual(Buffer.concat([rowOf(rows[0]!), rowOf(rows[3]!)]));
});

test('the time of a UUIDv7 is read, and an unknown column type is refused', () => {
  const uuid = uuidv7({ msecs: NOW_MS });
  expect(msOfUuid(Buffer.from(rowBinaryHex(uuid), 'hex'))).toBe(NOW_MS);
  expect(() => fixedBytes('Map(String, String)')).toThrow('Backups do not know the column type');
});
