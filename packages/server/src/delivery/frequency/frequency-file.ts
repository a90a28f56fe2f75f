import { createHmac } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { runYielding } from '../../platform/concurrency/yielding.ts';
import type { Digest } from '../model/frequency.ts';
import type { FrequencyCaps } from './frequency-caps.ts';

/**
 * Format of the file, in little-endian order: a head of the text `BWFC`, the version, the time of writing (Unix ms, a double) and a digest of
 * the installation's secret; impressions of {@link IMPRESSION_BYTES} each; open bids of {@link OPEN_BYTES} each; their numbers; and the CRC-32
 * of all before it.
 */
const VERSION = 1;
const MAGIC = 'BWFC';
const HEAD_BYTES = 24;
const IMPRESSION_BYTES = 16;
const OPEN_BYTES = 28;
const TAIL_BYTES = 12;
const CHUNK_BYTES = 64 * 1024;
const NO_DIGEST: Digest = { high: 0, low: 0 };

/** Stores the counts of a bidder in a file, and restores them. */
export interface FrequencyFile {
  /** Writes the file anew, and replaces the last one. Yields to the event loop. */
  save(caps: FrequencyCaps, nowMs: number): Promise<void>;
  /** Restores the counts; returns when they were written, Unix ms. Null where there is no file that this release and secret can read. */
  restore(caps: FrequencyCaps, nowMs: number): Promise<number | null>;
}

/** The file at `path`. Keys of people are only comparable under one secret, so that a file of another one is not read. */
export function frequencyFile(path: string, secret: string): FrequencyFile {
  const check = createHmac('sha256', secret).update('bidwell counts of people').digest().subarray(0, 8);
  return {
    async save(caps, nowMs) {
      await mkdir(dirname(path), { recursive: true });
      const partial = `${path}.partial`;
      const file = await open(partial, 'w', 0o600);
      try {
        let crc = 0;
        const write = async (bytes: Uint8Array): Promise<void> => {
          crc = crc32(bytes, crc);
          await file.write(bytes);
        };
        const head = Buffer.alloc(HEAD_BYTES);
        head.write(MAGIC, 'latin1');
        head.writeUInt32LE(VERSION, 4);
        head.writeDoubleLE(nowMs, 8);
        check.copy(head, 16);
        await write(head);
        const stored = caps.stored();
        const impressions = await writeRows(
          stored.impressions(),
          IMPRESSION_BYTES,
          write,
          (row, bytes, at) => {
            writeDigest(bytes, at, row.counter);
            bytes.writeUInt32LE(row.bid, at + 8);
            bytes.writeUInt32LE(row.at, at + 12);
          },
        );
        const openBids = await writeRows(stored.open(), OPEN_BYTES, write, (row, bytes, at) => {
          writeDigest(bytes, at, row.bid);
          writeDigest(bytes, at + 8, row.adset ?? NO_DIGEST);
          writeDigest(bytes, at + 16, row.campaign ?? NO_DIGEST);
          bytes.writeUInt32LE(row.expiresAt, at + 24);
        });
        const tail = Buffer.alloc(TAIL_BYTES);
        tail.writeUInt32LE(impressions, 0);
        tail.writeUInt32LE(openBids, 4);
        tail.writeUInt32LE(crc32(tail.subarray(0, 8), crc), 8);
        await file.write(tail);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(partial, path);
    },
    async restore(caps, nowMs) {
      const bytes = await readFile(path).catch(() => null);
      if (!bytes || !isIntact(bytes, check)) return null;
      await runYielding(restoring(bytes, caps, nowMs));
      return bytes.readDoubleLE(8);
    },
  };
}

/** Writes rows in chunks, and returns how many there were. */
async function writeRows<Row>(
  rows: Iterable<Row>,
  rowBytes: number,
  write: (bytes: Uint8Array) => Promise<void>,
  encode: (row: Row, bytes: Buffer, at: number) => void,
): Promise<number> {
  const chunk = Buffer.alloc(Math.floor(CHUNK_BYTES / rowBytes) * rowBytes);
  let at = 0;
  let count = 0;
  for (const row of rows) {
    encode(row, chunk, at);
    at += rowBytes;
    count += 1;
    if (at < chunk.length) continue;
    await write(chunk);
    at = 0;
  }
  if (at > 0) await write(chunk.subarray(0, at));
  return count;
}

function isIntact(bytes: Buffer, check: Buffer): boolean {
  if (bytes.length < HEAD_BYTES + TAIL_BYTES) return false;
  const end = bytes.length - TAIL_BYTES;
  const [impressions, openBids] = [bytes.readUInt32LE(end), bytes.readUInt32LE(end + 4)];
  return (
    bytes.toString('latin1', 0, 4) === MAGIC &&
    bytes.readUInt32LE(4) === VERSION &&
    bytes.subarray(16, HEAD_BYTES).equals(check) &&
    HEAD_BYTES + impressions * IMPRESSION_BYTES + openBids * OPEN_BYTES === end &&
    crc32(bytes.subarray(0, end + 8)) === bytes.readUInt32LE(end + 8)
  );
}

/** Rows between two yields. */
const ROWS_AT_ONCE = 500;

function* restoring(bytes: Buffer, caps: FrequencyCaps, nowMs: number): Generator<undefined, void> {
  const end = bytes.length - TAIL_BYTES;
  const openAt = HEAD_BYTES + bytes.readUInt32LE(end) * IMPRESSION_BYTES;
  let rows = 0;
  for (let at = HEAD_BYTES; at < openAt; at += IMPRESSION_BYTES) {
    caps.restoreImpression(readDigestAt(bytes, at), bytes.readUInt32LE(at + 8), bytes.readUInt32LE(at + 12));
    if ((rows += 1) % ROWS_AT_ONCE === 0) yield;
  }
  for (let at = openAt; at < end; at += OPEN_BYTES) {
    const counterAt = (from: number): Digest | null => {
      const digest = readDigestAt(bytes, from);
      return digest.high === 0 && digest.low === 0 ? null : digest;
    };
    caps.restoreOpen(readDigestAt(bytes, at), {
      adset: counterAt(at + 8),
      campaign: counterAt(at + 16),
      expiresAt: bytes.readUInt32LE(at + 24),
      nowMs,
    });
    if ((rows += 1) % ROWS_AT_ONCE === 0) yield;
  }
}

function writeDigest(bytes: Buffer, at: number, { high, low }: Digest): void {
  bytes.writeUInt32LE(low, at);
  bytes.writeUInt32LE(high, at + 4);
}

function readDigestAt(bytes: Buffer, at: number): Digest {
  return { high: bytes.readUInt32LE(at + 4), low: bytes.readUInt32LE(at) };
}
