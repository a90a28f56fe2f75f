import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const ID_BYTES = 16;
/** Random bytes are drawn for so many ids at a time: each draw is a call of the system. */
const pool = Buffer.alloc(ID_BYTES * 256);
let used = pool.length;

/** A UUIDv7 that ends with a bidder's tag, so that a notice finds its bidder. */
export function newBidId(tag: string): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + ID_BYTES);
  used += ID_BYTES;
  return uuidv7({ random }).slice(0, -tag.length) + tag;
}
