import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { ConfigError } from '../config/environment.ts';
import { AnotherTracker } from '../delivery/counting/log-ownership.ts';
import { explainFailure, assertEnoughMemory, untilSignal } from './main.ts';
import { DataFolderInUse } from '../platform/clickhouse/connection.ts';
import { availableMemoryMib, smallMemory } from '../platform/memory.ts';

const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
// Keep the test runner's IPC channel to this process.
vi.spyOn(process, 'disconnect').mockImplementation(() => {});
const log = { fatal: vi.fn() };
afterEach(() => vi.clearAllMocks());

const withCode = (code: string, more: object = {}) =>
  Object.assign(new Error(`${code} happened`), { code, ...more });

test.each([
  [new ConfigError('PORT is no number.'), 'PORT is no number.'],
  [new DataFolderInUse('The folder is in use.'), 'The folder is in use.'],
  [
    new AnotherTracker(),
    'Another process with the role tracker counts events in this database: stop it first, or set NATS_URL in all processes to run several.',
  ],
  [withCode('EADDRINUSE', { port: 80 }), 'Port 80 is taken: set PORT to another one.'],
  [withCode('EACCES', { port: 80 }), 'Port 80 may not be opened: set PORT to 1024 or above.'],
  [
    withCode('EACCES', { path: '/data' }),
    '/data may not be read or written: check its owner, or set DATA_DIR.',
  ],
  [withCode('28P01'), 'PostgreSQL refuses the name or password in DATABASE_URL.'],
  [
    new AggregateError([withCode('ECONNREFUSED', { address: '::1', port: 5432 })]),
    'Nothing answers at ::1:5432: check DATABASE_URL and CLICKHOUSE_URL.',
  ],
])('a start that fails for a known reason prints it in one sentence: %s', (error, sentence) => {
  expect(explainFailure(error, log)).toBe(1);
  expect(printed.mock.calls).toEqual([[sentence]]);
  expect(log.fatal).not.toHaveBeenCalled();
});

test.each([
  [new RangeError('Not an exact number: 99\n    at row 7'), 'Not an exact number: 99.'],
  [withCode('constructor'), 'constructor happened.'],
  ['a text', 'a text.'],
  [null, 'null.'],
])('any other reason is printed in one sentence, with details in the log: %s', (error, text) => {
  expect(explainFailure(error, log)).toBe(1);
  expect(printed.mock.calls).toEqual([
    [`Bidwell could not start: ${text} The log line above has the details.`],
  ]);
  expect(log.fatal).toHaveBeenCalledWith({ err: error }, 'the server failed to start');
});

test('a container with too little memory for the embedded databases gets an error at the start', () => {
  const embedded = { databaseUrl: undefined, clickhouseUrl: undefined };
  const servers = { databaseUrl: 'postgres://db/bidwell', clickhouseUrl: 'http://clickhouse:8123' };
  expect(() => assertEnoughMemory({ ...embedded, memoryMib: 511 })).toThrow(
    new ConfigError(
      "The databases in this process need 512 MiB of memory, but it may use 511 MiB: raise the container's limit, or set DATABASE_URL and CLICKHOUSE_URL.",
    ),
  );
  expect(() => assertEnoughMemory({ ...embedded, memoryMib: 512 })).not.toThrow();
  expect(() => assertEnoughMemory({ ...servers, memoryMib: 256 })).not.toThrow();
});

test('the embedded databases get small limits where memory is small, and their defaults otherwise', () => {
  const mib = (count: number) => count * 2 ** 20;
  expect(smallMemory(512)).toEqual({ chdb: 192, chdbCache: 8, sharedBuffers: 8 });
  expect(smallMemory(1024)).toEqual({ chdb: 704, chdbCache: 16, sharedBuffers: 16 });
  expect(smallMemory(1536)).toBe(null);
  expect(availableMemoryMib(mib(512), mib(4096))).toBe(512);
  // Values that Node returns if there is no limit.
  expect(availableMemoryMib(0, mib(4096))).toBe(4096);
  expect(availableMemoryMib(2 ** 64, mib(4096))).toBe(4096);
});

test('a stop that hangs ends after ten seconds with a message; other stops are not cut short', async () => {
  vi.useFakeTimers();
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => true);
  const events = ['SIGINT', 'SIGTERM', 'disconnect', 'unhandledRejection'] as const;
  const before = new Map(events.map((event) => [event, process.rawListeners(event)]));
  onTestFinished(() => {
    vi.useRealTimers();
    kill.mockRestore();
    for (const event of events)
      for (const listener of process.rawListeners(event) as (() => void)[])
        if (!before.get(event)!.includes(listener)) process.off(event, listener);
  });
  void untilSignal(() => new Promise(() => {}));
  process.emit('SIGTERM');
  await vi.advanceTimersByTimeAsync(9900);
  expect(kill).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(kill).toHaveBeenCalledWith(process.pid, 'SIGKILL');
  expect(printed.mock.calls.flat()).toEqual([
    'Bidwell did not stop within 10 seconds and ends now; the next start stores the events that wait in its log.',
  ]);
});
