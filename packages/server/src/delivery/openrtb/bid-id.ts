import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const ID_BYTES = 16;
/** Buffer of random bytes for 256 ids, since each refill costs a system call. */
const pool = Buffer.alloc(ID_BYTES * 256);
let used = pool.length;

/** Creates a UUIDv7 that ends with the bidder's tag, by which notices are routed to the bidder. */
export function newBidId(tag: string): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + ID_BYTES);
  used += ID_BYTES;
  return uuidv7({ random }).slice(0, -tag.length) + tag;
}
