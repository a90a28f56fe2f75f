import type { Random } from './random.ts';

/** Mutates the byte at `at`: replaces, removes or doubles it, or truncates there. Returns a description and the bytes. */
export function mutation(bytes: Buffer, at: number, random: Random): [how: string, bytes: Buffer] {
  const before = bytes.subarray(0, at);
  const after = bytes.subarray(at + 1);
  const chance = random();
  if (chance < 0.1) return ['left out', Buffer.concat([before, after])];
  if (chance < 0.2)
    return ['doubled', Buffer.concat([before, bytes.subarray(at, at + 1), bytes.subarray(at)])];
  if (chance < 0.25) return ['the last', bytes.subarray(0, at + 1)];
  const byte = Math.floor(random() * 256);
  return [`replaced by ${byte}`, Buffer.concat([before, Buffer.from([byte]), after])];
}
