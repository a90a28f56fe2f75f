import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEncryption } from '../../platform/encryption.ts';
import type { Database } from '../../platform/postgres/client.ts';
import { noFaults } from '@bidwell/testing/no-faults';
import { GATHER_MS, createSnapshotService } from './service.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A fake database that counts rebuilds, delays them while `gate` is closed, and serves companies with versions. */
function pretendedDatabase(versions: Record<string, string> = {}) {
  const state = { rebuilds: 0, failing: false, gate: Promise.resolve(), versions, read: [] as unknown[] };
  const connection: DatabaseConnection = {
    // oxlint-disable-next-line no-unnecessary-type-parameters -- the form that the interface has
    async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
      const isBegin = sql.includes('"company_versions"');
      if (isBegin) state.rebuilds += 1;
      if (sql.includes('"tracking_links"'))
        state.read.push(...parameters.filter((value) => String(value) in versions));
      await state.gate;
      if (state.failing) throw new Error('unavailable');
      const companies = Object.entries(versions).map(([uuid, version]) => ({
        uuid,
        timeZone: 'UTC',
        version,
      }));
      return { rows: (isBegin ? companies : []) as Row[] };
    },
    // oxlint-disable-next-line require-yield -- nothing is streamed
    async *streamQuery() {
      throw new Error('not used');
    },
  };
  class Driver extends DummyDriver {
    override async acquireConnection(): Promise<DatabaseConnection> {
      return connection;
    }
  }
  const db: Database = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Driver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return { db, state };
}

async function startedService(versions?: Record<string, string>) {
  const { db, state } = pretendedDatabase(versions);
  const errors: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void errors.push(line) });
  const snapshot = createSnapshotService(
    db,
    log,
    noFaults,
    createEncryption(['an encryption key of at least 32 characters']),
  );
  await snapshot.load();
  state.rebuilds = 0;
  state.read = [];
  return { snapshot, state, errors };
}

test('many changes at once cause one rebuild', async () => {
  const { snapshot, state } = await startedService();
  for (let change = 0; change < 100; change += 1) snapshot.invalidate();
  await vi.advanceTimersByTimeAsync(10 * GATHER_MS);
  expect(state.rebuilds).toBe(1);
});

test('a change during a rebuild causes another one', async () => {
  const { snapshot, state } = await startedService();
  let open = (): void => {};
  state.gate = new Promise((resolve) => (open = resolve));
  const first = snapshot.refreshed();
  await vi.advanceTimersByTimeAsync(1);
  snapshot.invalidate();
  open();
  await first;
  expect(state.rebuilds).toBe(1);
  await vi.advanceTimersByTimeAsync(GATHER_MS);
  expect(state.rebuilds).toBe(2);
});

test('a steady stream of changes does not delay the rebuilds', async () => {
  const { snapshot, state } = await startedService();
  for (let change = 0; change < 100; change += 1) {
    snapshot.invalidate();
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(state.rebuilds).toBeGreaterThanOrEqual(30);
});

test('a refresh requested during a rebuild resolves with a later one', async () => {
  const { snapshot, state } = await startedService();
  await Promise.all([snapshot.refreshed(), snapshot.refreshed(), snapshot.refreshed()]);
  expect(state.rebuilds).toBe(2);
});

test('a failed rebuild leaves the last snapshot in use, and is retried', async () => {
  const { snapshot, state } = await startedService({ one: 'first' });
  const before = snapshot.current();
  state.versions['one'] = 'second';
  state.failing = true;
  await snapshot.refreshed();
  expect(snapshot.current()).toBe(before);
  state.failing = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(snapshot.current()).not.toBe(before);
});

test('only changed companies are read again, and without a change the snapshot stays the same', async () => {
  const { snapshot, state } = await startedService({ one: 'first', two: 'first' });
  const before = snapshot.current();
  await snapshot.refreshed();
  expect(state.read).toEqual([]);
  expect(snapshot.current()).toBe(before);
  state.versions['two'] = 'second';
  state.versions['three'] = 'first';
  await snapshot.refreshed();
  expect(state.read).toEqual(['two', 'three']);
  expect(snapshot.current()).not.toBe(before);
});

test('a rebuild that a shutdown breaks off is no error in the log, unlike any other that fails', async () => {
  const { snapshot, state, errors } = await startedService();
  state.failing = true;
  await snapshot.refreshed();
  expect(errors).toHaveLength(1);
  let open = (): void => {};
  state.gate = new Promise((resolve) => (open = resolve));
  const rebuilt = snapshot.refreshed();
  const closed = snapshot.close();
  open();
  await Promise.all([rebuilt, closed]);
  expect(errors).toHaveLength(1);
});

test('after closing nothing is read', async () => {
  const { snapshot, state } = await startedService();
  snapshot.invalidate();
  await snapshot.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(state.rebuilds).toBe(0);
});
