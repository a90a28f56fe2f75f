import fc from 'fast-check';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { SEGMENT_HEAD, UnknownSegmentVersion, frame, readSegment } from './segment-format.ts';

/** Encodes a record as releases before version 2 did. */
function oldFrame(record: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(record.length, 0);
  head.writeUInt32BE(crc32(record), 4);
  return Buffer.concat([head, record]);
}

const formats = {
  'of this release': { head: SEGMENT_HEAD, frame },
  'of earlier releases': { head: Buffer.alloc(0), frame: oldFrame },
};
const record = fc
  .record({ bid: fc.uuid(), text: fc.string({ maxLength: 200 }) })
  .map((value) => Buffer.from(JSON.stringify(value)));

test.each(Object.entries(formats))(
  'segments %s: damage affects only the damaged records',
  (_name, format) => {
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 30 }),
        fc.nat(),
        fc.uint8Array({ minLength: 1, maxLength: 40 }),
        (records, where, noise) => {
          const frames = records.map(format.frame);
          const bytes = Buffer.concat([format.head, ...frames]);
          const at = where % bytes.length;
          const end = Math.min(bytes.length, at + noise.length);
          const before = Buffer.from(bytes);
          bytes.set(noise.subarray(0, end - at), at);
          const hit: boolean[] = [];
          let start = format.head.length;
          for (const { length } of frames) {
            hit.push(!bytes.subarray(start, start + length).equals(before.subarray(start, start + length)));
            start += length;
          }
          if (bytes[7] !== before[7] && format.head.length > 0) return;
          const content = readSegment(bytes);
          expect(content.records.map(String)).toEqual(records.filter((_, index) => !hit[index]).map(String));
          // A last record with a damaged length looks like one that was not completely written; in any other record it is
          // damage.
          if (hit.slice(0, -1).includes(true)) expect(content.damagedBytes).toBeGreaterThan(0);
          if (!hit.includes(true) && at >= format.head.length) expect(content.damagedBytes).toBe(0);
        },
      ),
    );
  },
);

test.each(Object.entries(formats))('segments %s: a missing end is not damage', (_name, format) => {
  const frames = ['{"a":1}', '{"b":2}'].map((text) => format.frame(Buffer.from(text)));
  const bytes = Buffer.concat([format.head, ...frames]);
  for (let end = format.head.length; end < bytes.length; end += 1)
    expect(readSegment(bytes.subarray(0, end)).damagedBytes).toBe(0);
  const withZeros = Buffer.concat([bytes, Buffer.alloc(64)]);
  expect(readSegment(withZeros)).toMatchObject({ records: { length: 2 }, damagedBytes: 0 });
});

test('a complete last record with a flipped bit is damage', () => {
  const bytes = Buffer.concat([SEGMENT_HEAD, frame(Buffer.from('{"a":1}')), frame(Buffer.from('{"b":2}'))]);
  bytes[bytes.length - 2]! ^= 1;
  expect(readSegment(bytes)).toMatchObject({ records: { length: 1 } });
  expect(readSegment(bytes).damagedBytes).toBeGreaterThan(0);
});

test('a segment of a later release is not damage', () => {
  expect(() => readSegment(Buffer.from('BWLOG\0\0\x03more', 'latin1'))).toThrow(UnknownSegmentVersion);
});
