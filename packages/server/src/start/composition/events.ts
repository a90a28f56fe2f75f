import { setTimeout as pause } from 'node:timers/promises';
import { v4 as uuidv4 } from 'uuid';
import type { Config } from '../../config/config.ts';
import {
  type Booking,
  type CountedEvents,
  type EventStream,
  type Ingest,
  type LogOwnership,
  type RunningCounter,
  countedEvents,
  createPublisher,
  eventTable,
  openEventStream,
  openIngest,
  openLocalEvents,
  ownLog,
  partitionStore,
  rewindPositions,
  runCounter,
  sharedStream,
  storedPositions,
} from '../../delivery/public.ts';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import type { Nats } from '../../platform/nats/connection.ts';
import type { Database } from '../../platform/postgres/client.ts';
import type { Step } from '../../platform/startup.ts';
import type { Lifetime } from './lifetime.ts';

/** The path of events: from the log of a tracker to the databases. */
export interface Events extends CountedEvents {
  ingest: Ingest;
  /** The counter of this process; null without the role, or where the tracker counts its own log. */
  counter: RunningCounter | null;
  /** Pairs in the deduplication windows of this process. */
  pairs: () => number;
  /** Failed tries to publish to the event stream. */
  publishFailures: () => number;
  /** Calls `listener` after each round of the counter. */
  onRound: (listener: (round: { seconds: number; events: number }) => void) => void;
}

interface EventsDeps {
  clickhouse: ClickHouse;
  clickhouseReady: Step;
  db: Database;
  postgres: Step;
  booking: Booking;
  /** Null without NATS_URL. */
  nats: Nats | null;
}

/** How often a wait for counted events reads their positions. */
const POSITIONS_EVERY_MS = 50;

/** Opens the event log, and the counter of its events: the event stream and a counter, or this process alone. */
export async function openEvents(lifetime: Lifetime, deps: EventsDeps): Promise<Events> {
  const { nats } = deps;
  const settings = lifetime.config.eventStream;
  return nats && settings
    ? openStreamEvents(lifetime, deps, { nats, settings })
    : openOwnEvents(lifetime, deps);
}

async function openOwnEvents(
  lifetime: Lifetime,
  { clickhouse, clickhouseReady, db, booking, postgres }: EventsDeps,
): Promise<Events> {
  const { config, log, now, startup } = lifetime;
  const { announce, onCounted } = countedEvents();
  // An external database may carry out a statement later, even after this process has ended.
  const isShared = config.databaseUrl !== undefined || config.clickhouseUrl !== undefined;
  const ownership = isShared ? await ownLogOf(lifetime, db, postgres) : null;
  const { ingest, counter } = await openLocalEvents({
    table: eventTable(clickhouse),
    booking,
    ownership,
    dataDir: config.dataDir,
    bytesMax: config.eventLogMaxBytes,
    log,
    now,
    recover: (work) => startup.attempt('read recent events for deduplication', work, [clickhouseReady]),
    onCounted: announce,
  });
  return {
    ingest,
    onCounted,
    counter: null,
    pairs: counter.pairs,
    publishFailures: () => 0,
    onRound: () => {},
  };
}

/** Key under which the only tracker of a database owns the counting of its log. */
const LOG_KEY = 'event log';

async function ownLogOf({ log, closing }: Lifetime, db: Database, postgres: Step): Promise<LogOwnership> {
  const store = partitionStore(db, { counterId: uuidv4(), stream: LOG_KEY, partitions: 1 });
  const ownership = await ownLog(store, {
    log,
    isReady: () => postgres.isDone(),
    lost() {
      log.fatal('another tracker counts events in this database by now; this process stops');
      process.kill(process.pid, 'SIGTERM');
    },
  });
  return closing('log ownership', ownership, () => ownership.stop());
}

async function openStreamEvents(
  { config, log, now, closing }: Lifetime,
  { clickhouse, clickhouseReady, db, booking }: EventsDeps,
  { nats, settings }: { nats: Nats; settings: NonNullable<Config['eventStream']> },
): Promise<Events> {
  const { announce, onCounted } = countedEvents();
  const stream = sharedStream(() => openEventStream(nats, log, settings));
  // The server may have lost messages, or be another one.
  nats.onUp(stream.lost);
  const rounds: ((round: { seconds: number; events: number }) => void)[] = [];
  const counter = config.roles.has('counter')
    ? runCounter({
        stream,
        tableReady: clickhouseReady.done,
        storeOf: (opened) => storeOf(db, opened),
        table: eventTable(clickhouse),
        booking,
        log,
        now,
        onCounted: announce,
        onRound(round) {
          for (const listener of rounds) listener(round);
        },
      })
    : null;
  if (counter) closing('counter', counter, () => counter.close());
  let publishFailures = 0;
  const ended = new AbortController();
  const sink = createPublisher({
    open: stream.open,
    lost: stream.lost,
    stored: (key) => storedPositions(db, key),
    onFailure: () => void (publishFailures += 1),
    wait: () => pause(POSITIONS_EVERY_MS, undefined, { signal: ended.signal }),
  });
  const { dataDir, eventLogMaxBytes: bytesMax } = config;
  const opened = await openIngest({ sink, dataDir, bytesMax, log, now });
  const ingest = {
    ...opened,
    async close() {
      ended.abort();
      await opened.close();
      // Before the listeners of counted events end.
      await counter?.close();
    },
  };
  return {
    ingest,
    onCounted,
    counter,
    pairs: () => counter?.state()?.pairs ?? 0,
    publishFailures: () => publishFailures,
    onRound: (listener) => void rounds.push(listener),
  };

  async function storeOf(database: Database, { key, partitions, check }: EventStream) {
    const before = Math.max(0, ...(await storedPositions(database, key)).values());
    const { lastSeq } = await check();
    if (lastSeq < before) {
      const rewound = await rewindPositions(database, key, lastSeq);
      log.error(
        { rewound, lastSeq, before },
        'the event stream is older than what was counted of it; its partitions are counted anew',
      );
    }
    return partitionStore(database, { counterId: uuidv4(), stream: key, partitions });
  }
}
