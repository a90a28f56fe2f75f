import { bidIdIn, messagesOf } from './message.ts';
import { decodeEvent } from '../event-log/event-record.ts';
import type { EventSink } from '../event-log/ingest.ts';
import type { LoggedSegment } from '../event-log/write-ahead-log.ts';
import type { EventStream } from './event-stream.ts';

type PublishedStream = Pick<EventStream, 'key' | 'partitions' | 'publish' | 'lastSeqs'>;

/** Dependencies of a {@link createPublisher}. */
export interface PublisherDeps {
  /** The stream; opened again after `lost`. Throws while it is unavailable. */
  open(): Promise<PublishedStream>;
  lost(): void;
  /** The last stored message of each partition of a stream. */
  stored(key: string): Promise<ReadonlyMap<number, number>>;
  /** Called for each failed try. */
  onFailure(): void;
  /** Waits before positions are read again. */
  wait(): Promise<void>;
}

/**
 * Creates the sink of a tracker's log that publishes to the event stream: by partition, each in the order of the log. A
 * segment is done when the stream holds all of its events; after an error all of them are published again, and the
 * counters drop the ones that they have.
 */
export function createPublisher(deps: PublisherDeps): EventSink {
  /** The stream, and the last message of each partition that may not be stored yet. */
  let published: { stream: PublishedStream | null; positions: Map<number, number> } = {
    stream: null,
    positions: new Map(),
  };

  /**
   * Opens the stream. Its messages may come from an earlier process with the same log. If the server has lost messages, the
   * last numbers are smaller than before.
   */
  async function open(): Promise<PublishedStream> {
    const stream = await deps.open();
    if (published.stream !== stream) {
      const positions = new Map(await stream.lastSeqs());
      if (published.stream !== stream) published = { stream, positions };
    }
    return stream;
  }

  async function publish(records: readonly { record: Buffer; bidId: string }[]): Promise<void> {
    const stream = await open();
    const groups = messagesOf(records, stream.partitions);
    const results = await Promise.allSettled(
      groups.map(async ({ partition, messages }) => {
        for (const message of messages) {
          const seq = await stream.publish(partition, message);
          const { positions } = published;
          positions.set(partition, Math.max(seq, positions.get(partition) ?? 0));
        }
      }),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async function checkpoint(): Promise<() => Promise<boolean>> {
    const { key } = await open();
    const awaited = new Map(published.positions);
    return async () => {
      // Messages of a stream that is gone are never counted.
      if (awaited.size === 0 || published.stream?.key !== key) return true;
      const stored = await deps.stored(key);
      for (const [partition, seq] of awaited) {
        const lastSeq = published.positions.get(partition) ?? 0;
        if ((stored.get(partition) ?? 0) >= Math.min(seq, lastSeq)) awaited.delete(partition);
      }
      return awaited.size === 0;
    };
  }

  return {
    checkpoint,
    async load(segments) {
      const unreadable: string[] = [];
      const records = segments.flatMap((segment) => readRecords(segment, unreadable));
      try {
        if (records.length > 0) await publish(records);
      } catch (error) {
        deps.onFailure();
        deps.lost();
        throw error;
      }
      return { unreadable };
    },
    async flushed() {
      const isCounted = await checkpoint();
      while (!(await isCounted())) await deps.wait();
    },
  };
}

/** The records of a segment with their bids; `unreadable` gets its batch if one cannot be decoded. */
function readRecords({ batch, records, recovered }: LoggedSegment, unreadable: string[]) {
  return records.flatMap((record) => {
    // This process can decode the records that it wrote.
    const isReadable = !recovered || decodeEvent(record) !== null;
    const bidId = isReadable ? bidIdIn(record) : null;
    if (bidId !== null) return [{ record, bidId }];
    if (unreadable.at(-1) !== batch) unreadable.push(batch);
    return [];
  });
}
