import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { deliveryEvent } from '@bidwell/testing/delivery-events';
import { type Nats, openNats } from '../../platform/nats/connection.ts';
import { MemoryEngines } from '@bidwell/testing/pacing/memory-counting';
import { natsServer } from '@bidwell/testing/engines/nats-server';
import { encodeEvent } from '../event-log/event-record.ts';
import { sampleRef } from '../trackers/sample-ref.ts';
import type { DeliveryEvent } from '../model/event.ts';
import {
  type StreamMessage,
  type EventStreamSettings,
  openEventStream,
  sharedStream,
} from './event-stream.ts';
import { MESSAGE_BYTES_MAX, messagesOf } from './message.ts';
import { createPublisher } from './publisher.ts';
import { runCounter } from './counter.ts';
import { eventually } from '@bidwell/testing/eventually';

const log = pino({ level: 'silent' });
const folder = await mkdtemp(join(tmpdir(), 'bidwell-stream-'));
let server = await natsServer({ folder });
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const recordsOf = (events: readonly DeliveryEvent[]) =>
  events.map((event) => ({ record: encodeEvent(event), bidId: event.ref.bidId }));

const segmentOf = (events: readonly DeliveryEvent[]) => ({
  batch: uuidv4(),
  records: events.map((event) => encodeEvent(event)),
  recovered: false,
  doubtful: false,
});

const within = <T>(check: () => T) => eventually(check);

describe.skipIf(!server)('the event stream', () => {
  /** A stream that no other test uses, with a connection of its own. */
  async function freshStream(settings: EventStreamSettings = {}) {
    const connection = openNats(`nats://127.0.0.1:${server!.port}`, log);
    await within(() => expect(connection.current()).not.toBeNull());
    const stream = sharedStream(() => openEventStream(connection, log, { partitions: 4, ...settings }));
    connection.onUp(stream.lost);
    onTestFinished(async () => {
      const { jetstreamManager } = await import('@nats-io/jetstream');
      const manager = await jetstreamManager(connection.current()!);
      await manager.streams.delete('BIDWELL_EVENTS');
      await connection.close();
    });
    return { stream, opened: await stream.open(), connection };
  }

  async function messagesIn(connection: Nats): Promise<number> {
    const { jetstreamManager } = await import('@nats-io/jetstream');
    const manager = await jetstreamManager(connection.current()!);
    return (await manager.streams.info('BIDWELL_EVENTS')).state.messages;
  }

  /** A tracker's publisher, and its failures. */
  function trackerOf(stream: Awaited<ReturnType<typeof freshStream>>['stream'], engines: MemoryEngines) {
    const onFailure = vi.fn();
    const publisher = createPublisher({
      ...stream,
      stored: async () => engines.storedPositions(),
      onFailure,
      wait: () => new Promise((resolve) => setTimeout(resolve, 5)),
    });
    return { ...publisher, onFailure };
  }

  function counterOf(
    stream: Awaited<ReturnType<typeof freshStream>>['stream'],
    engines: MemoryEngines,
    tableReady = Promise.resolve(),
  ) {
    const counter = runCounter({
      stream,
      tableReady,
      storeOf: async () => engines.store(uuidv4()),
      table: engines.table,
      booking: engines.booking,
      log,
      now: () => new Date(),
      onCounted: () => {},
      onRound: () => {},
    });
    return counter;
  }

  test('the events of two trackers are counted once, and purged but for the last of a partition', async () => {
    const { stream, connection } = await freshStream();
    const engines = new MemoryEngines(4);
    const [one, other] = [trackerOf(stream, engines), trackerOf(stream, engines)];
    const counter = counterOf(stream, engines);
    const refs = Array.from({ length: 50 }, () => sampleRef());
    const events = refs.map((ref) => deliveryEvent(ref, 'billing', { spendMicros: 10 }));
    await Promise.all([one.load([segmentOf(events)]), other.load([segmentOf(events), segmentOf(events)])]);
    await Promise.all([one.flushed(), other.flushed()]);
    expect(engines.rows.map(({ event }) => event.ref.bidId).toSorted()).toEqual(
      refs.map(({ bidId }) => bidId).toSorted(),
    );
    expect([...engines.booked.values()]).toEqual(refs.map(() => 10));
    await eventually(async () => expect(await messagesIn(connection)).toBe(4));
    expect(counter.state()).toMatchObject({ unowned: 0, isFresh: true });
    await counter.close();
  });

  test('a tracker that was restarted waits for the events that it published before', async () => {
    const { stream } = await freshStream();
    const engines = new MemoryEngines(4);
    await trackerOf(stream, engines).load([
      segmentOf([deliveryEvent(sampleRef(), 'billing', { spendMicros: 10 })]),
    ]);
    const restarted = trackerOf(stream, engines);
    const isCounted = await restarted.checkpoint();
    expect(await isCounted()).toBe(false);
    const counter = counterOf(stream, engines);
    await restarted.flushed();
    expect(engines.rows).toHaveLength(1);
    expect(await isCounted()).toBe(true);
    await counter.close();
  });

  test('a counter leaves the partitions to others until the event table is migrated', async () => {
    const { stream } = await freshStream();
    const engines = new MemoryEngines(4);
    const tracker = trackerOf(stream, engines);
    const waiting = counterOf(stream, engines, new Promise(() => {}));
    let migrated = (): void => {};
    const next = counterOf(stream, engines, new Promise((resolve) => (migrated = resolve)));
    await tracker.load([segmentOf([deliveryEvent(sampleRef(), 'billing', { spendMicros: 10 })])]);
    expect(next.state()).toBeNull();
    expect(engines.rows).toEqual([]);
    migrated();
    await tracker.flushed();
    expect(engines.rows).toHaveLength(1);
    expect(waiting.state()).toBeNull();
    await Promise.all([waiting.close(), next.close()]);
  });

  test('an existing stream keeps its number of partitions', async () => {
    const { connection } = await freshStream();
    const again = await openEventStream(connection, log, { partitions: 9, bytesMax: 64 * 1024 ** 2 });
    expect(again.partitions).toBe(4);
  });

  test('a full stream refuses events, which stay in the log until there is room', async () => {
    const { stream, connection } = await freshStream({ partitions: 1, bytesMax: 4 * MESSAGE_BYTES_MAX });
    const engines = new MemoryEngines(1);
    const tracker = trackerOf(stream, engines);
    const events = Array.from({ length: 500 }, () =>
      deliveryEvent(sampleRef({ bundle: 'b'.repeat(400) }), 'win'),
    );
    const segments = [segmentOf(events)];
    await tracker.load(segments);
    await expect(tracker.load(segments)).rejects.toThrow('maximum bytes exceeded');
    expect(tracker.onFailure).toHaveBeenCalledOnce();
    const counter = counterOf(stream, engines);
    await eventually(async () => expect(await messagesIn(connection)).toBe(1));
    await tracker.load(segments);
    await tracker.flushed();
    await counter.close();
    expect(engines.rows).toHaveLength(500);
  });

  test('a reader goes on after the server was restarted, without gaps, and stops where its buffer is full', async () => {
    const { opened } = await freshStream({ partitions: 1 });
    const read: StreamMessage[] = [];
    let room = 3;
    const reader = opened.read(
      0,
      { after: { seq: 0, atMs: null }, booked: { seq: 0, atMs: null } },
      {
        hasRoom: () => read.length < room,
        push: (message) => read.push(message),
        messagesLost: () => expect.unreachable(),
        bookedLost: () => expect.unreachable(),
      },
    );
    const publish = async (count: number) => {
      for (let index = 0; index < count; index += 1) {
        const message = messagesOf(recordsOf([deliveryEvent(sampleRef(), 'win')]), 1)[0]!.messages[0]!;
        await eventually(() => opened.publish(0, message));
      }
    };
    await publish(40);
    await within(() => expect(read.length).toBeGreaterThanOrEqual(room));
    // One request more than it has room for.
    expect(read.length).toBeLessThanOrEqual(3 + 16);
    const { port } = server!;
    await server!.stop();
    server = await natsServer({ folder, port });
    await publish(5);
    room = 1000;
    reader.wake();
    await eventually(() => expect(read).toHaveLength(45));
    expect(read.map(({ seq }) => seq)).toEqual(Array.from({ length: 45 }, (_, index) => index + 1));
    reader.stop();
  });

  test('events are counted that get the numbers of others which the server lost', async () => {
    const { stream } = await freshStream({ partitions: 1 });
    const engines = new MemoryEngines(1);
    const tracker = trackerOf(stream, engines);
    const counter = counterOf(stream, engines);
    const refs = Array.from({ length: 9 }, () => sampleRef());
    /** Publishes events one after the other, as soon as the server responds. */
    const publish = async (from: number, to: number) => {
      for (const ref of refs.slice(from, to))
        await eventually(() =>
          tracker.load([segmentOf([deliveryEvent(ref, 'billing', { spendMicros: 10 })])]),
        );
    };
    const { port } = server!;
    /** Stops the server, and starts it with another state of its disk. */
    const restartWith = async (change: () => Promise<void>) => {
      await server!.stop();
      await change();
      server = await natsServer({ folder, port });
    };
    await publish(0, 2);
    await tracker.flushed();
    const earlier = `${folder}-earlier`;
    onTestFinished(() => rm(earlier, { recursive: true, force: true }));
    await restartWith(() => cp(folder, earlier, { recursive: true }));
    await publish(2, 5);
    await eventually(() => tracker.flushed());
    await restartWith(async () => {
      await rm(folder, { recursive: true });
      await cp(earlier, folder, { recursive: true });
    });
    await publish(5, 9);
    await eventually(() => tracker.flushed());
    const stored = engines.rows.map(({ event }) => event.ref.bidId);
    expect(stored.toSorted()).toEqual(refs.map(({ bidId }) => bidId).toSorted());
    expect([...engines.booked.values()]).toEqual(refs.map(() => 10));
    await counter.close();
  });

  test('counting begins anew with a stream that was deleted', async () => {
    const { stream, connection } = await freshStream();
    const engines = new MemoryEngines(4);
    const counter = counterOf(stream, engines);
    await within(() => expect(counter.state()?.owned).toHaveLength(4));
    const { jetstreamManager } = await import('@nats-io/jetstream');
    await (await jetstreamManager(connection.current()!)).streams.delete('BIDWELL_EVENTS');
    stream.lost();
    const tracker = trackerOf(stream, new MemoryEngines(4));
    await tracker.load([segmentOf([deliveryEvent(sampleRef(), 'win')])]);
    await eventually(() => expect(engines.rows).toHaveLength(1));
    await counter.close();
  });
});
