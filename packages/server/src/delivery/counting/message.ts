import { createHash } from 'node:crypto';
import { partitionOf } from '../event-store/event-store.ts';
import { SEGMENT_HEAD, frame } from '../event-log/segment-format.ts';

/**
 * Longest message of the event stream, in bytes, except for one with a single longer record. NATS accepts a megabyte by
 * default.
 */
export const MESSAGE_BYTES_MAX = 256 * 1024;

/** Names a stream: one that was deleted and created again is another one, whose numbers begin again. */
export interface StreamIdentity {
  name: string;
  /** Time of its creation as the server reports it, RFC 3339. */
  created: string;
}

/** The identity as one text, for the database. */
export function streamKey({ name, created }: StreamIdentity): string {
  return `${name} ${created}`;
}

/**
 * The id of a message's batch, by which its rows are recognised in the event database. A UUID of version 8
 * (section 5.8 of RFC 9562): 48 bits of a digest of the stream, the partition, the number of the message. Ids of neighbouring
 * messages differ in few bytes, so that the column compresses well.
 */
export function batchOf(stream: string, partition: number, seq: number): string {
  const digest = createHash('sha256').update(stream).digest('hex').slice(0, 12);
  const part = partition.toString(16).padStart(3, '0');
  const number = seq.toString(16).padStart(14, '0');
  return `${digest.slice(0, 8)}-${digest.slice(8)}-8${part}-80${number.slice(0, 2)}-${number.slice(2)}`;
}

/**
 * Whether a batch comes before another. Batches from a stream are ordered by the number of their message within a
 * partition, and segments of an event log, whose ids are UUIDs of version 7, by time. All other batches were counted
 * before.
 */
export function isEarlierBatch(batch: string, than: string): boolean {
  return batch < than || sequenceOf(batch) !== sequenceOf(than);
}

const SEQUENCE_LENGTH = 'dddddddd-dddd-8ppp'.length;

function sequenceOf(batch: string): string {
  return batch[VERSION_AT] === '7' ? '7' : batch.slice(0, SEQUENCE_LENGTH);
}

const VERSION_AT = 14;

/** Records of one partition, to be published in order. */
export interface PartitionMessages {
  partition: number;
  messages: Buffer[];
}

/** The key of the bid id in a record; quotation marks within a text are escaped, so that it occurs nowhere else. */
const BID_KEY = Buffer.from('"bidId":"');
const UUID_LENGTH = 36;

/**
 * The bid of a record of the event log, found without parsing it; null where there is none.
 */
export function bidIdIn(record: Buffer): string | null {
  const at = record.indexOf(BID_KEY);
  if (at === -1) return null;
  const from = at + BID_KEY.length;
  const bidId = record.toString('latin1', from, from + UUID_LENGTH);
  return UUID.test(bidId) ? bidId : null;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Encodes records as messages: by partition, in their order, each a segment of the event log's format.
 */
export function messagesOf(records: Iterable<{ record: Buffer; bidId: string }>, partitions: number) {
  const groups = new Map<number, { messages: Buffer[]; frames: Buffer[]; bytes: number }>();
  for (const { record, bidId } of records) {
    const partition = partitionOf(bidId, partitions);
    let group = groups.get(partition);
    if (!group) groups.set(partition, (group = { messages: [], frames: [SEGMENT_HEAD], bytes: 0 }));
    const framed = frame(record);
    if (group.bytes > 0 && SEGMENT_HEAD.length + group.bytes + framed.length > MESSAGE_BYTES_MAX) {
      group.messages.push(Buffer.concat(group.frames));
      group.frames = [SEGMENT_HEAD];
      group.bytes = 0;
    }
    group.frames.push(framed);
    group.bytes += framed.length;
  }
  return [...groups].map(([partition, { messages, frames }]): PartitionMessages => ({
    partition,
    messages: [...messages, Buffer.concat(frames)],
  }));
}
