import { PGlite } from '@electric-sql/pglite';
import { parentPort, workerData } from 'node:worker_threads';

/** The database that the worker opens. */
export interface WorkerTask {
  /** Folder of the database; without it everything is kept in memory. */
  folder?: string | undefined;
  /** A dump of a folder, with which a new database begins. */
  snapshot?: Blob | undefined;
  /** Settings of PostgreSQL, by name. */
  settings: Record<string, string>;
}

/** Messages of PostgreSQL's protocol to execute, where the last requests a response; or the request to close. */
export type WorkerRequest = Uint8Array<ArrayBuffer> | 'close';

/** First that the database is open; then parts of the responses. */
export type WorkerResponse = 'ready' | { bytes: Uint8Array<ArrayBuffer>; isLast: boolean };

/** Responses are sent in parts of this size: the receiver parses each at once. */
const PART_BYTES = 128 * 1024;
/** Every response ends with the message ReadyForQuery: its type, its length, and a byte for the state of the transaction. */
const READY_FOR_QUERY = [0x5a, 0, 0, 0, 5];

// Runs in a worker thread: PGlite executes statements, and reads and writes its files, synchronously. A database that cannot
// go on ends the thread with an error.
const port = parentPort!;
const { folder, snapshot, settings } = workerData as WorkerTask;
/** The last reason that PostgreSQL gave for ending. */
let reason = '';
const pglite = new PGlite({
  ...(folder !== undefined && { dataDir: folder }),
  ...(snapshot && { loadDataDir: snapshot }),
  onStderr(line) {
    reason = /(?:FATAL|PANIC):.*/.exec(line)?.[0] ?? reason;
    return false;
  },
  startParams: [
    ...PGlite.defaultStartParams,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ],
});
await pglite.waitReady;
port.on('message', (request: WorkerRequest) => void (request === 'close' ? close() : execute(request)));
port.postMessage('ready' satisfies WorkerResponse);

let part = new Uint8Array(PART_BYTES);

async function execute(messages: Uint8Array): Promise<void> {
  let length = 0;
  let end: Uint8Array = new Uint8Array(0);
  const send = (isLast: boolean): void => {
    const bytes = part.slice(0, length);
    length = 0;
    port.postMessage({ bytes, isLast } satisfies WorkerResponse, [bytes.buffer]);
  };
  await pglite.execProtocolRawStream(messages, {
    onRawData(bytes) {
      if (length + bytes.length > part.length) send(false);
      if (bytes.length > part.length) part = new Uint8Array(bytes.length);
      part.set(bytes, length);
      length += bytes.length;
      end = endOf(end, bytes);
    },
  });
  if (!isReadyForQuery(end)) throw new Error(`PostgreSQL stopped within a statement. ${reason}`.trim());
  send(true);
}

/** The last bytes received so far, as many as ReadyForQuery has. */
function endOf(before: Uint8Array, bytes: Uint8Array): Uint8Array {
  const all = bytes.length > READY_FOR_QUERY.length ? bytes : Buffer.concat([before, bytes]);
  return all.slice(-READY_FOR_QUERY.length - 1);
}

/** Whether a response is complete. An engine that aborted responds neither to this statement nor to any later one. */
function isReadyForQuery(end: Uint8Array): boolean {
  return end.length > READY_FOR_QUERY.length && READY_FOR_QUERY.every((byte, n) => end[n] === byte);
}

async function close(): Promise<void> {
  await pglite.close();
  port.close();
}
