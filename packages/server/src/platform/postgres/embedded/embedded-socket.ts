import { Duplex } from 'node:stream';
import { eventLoopShare } from '../../concurrency/yielding.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';

/** Type of the message with which a client takes its leave. */
const TERMINATE = 'X'.codePointAt(0)!;

/**
 * What the client of PostgreSQL takes for its socket: the other end is an embedded database. The client writes all messages
 * of a statement at once. Other work of the event loop, such as bids, gets its turn between the parts of a response, because
 * each is parsed at once.
 */
export class EmbeddedSocket extends Duplex {
  readonly #postgres: EmbeddedPostgres;
  readonly #takeTurn = eventLoopShare();

  constructor(postgres: EmbeddedPostgres) {
    super();
    this.#postgres = postgres;
  }

  connect(): void {
    process.nextTick(() => this.emit('connect'));
  }

  setNoDelay(): void {}

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#exchange([chunk], done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error) => void): void {
    this.#exchange(
      chunks.map(({ chunk }) => chunk),
      done,
    );
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  #exchange(chunks: readonly Buffer[], done: (error?: Error) => void): void {
    if (chunks[0]![0] === TERMINATE) return done();
    let pushed: Promise<void> = Promise.resolve();
    const receive = (bytes: Uint8Array): void => {
      pushed = pushed.then(this.#takeTurn).then(() => void this.push(bytes));
    };
    this.#postgres
      .exchange(joined(chunks), receive)
      .then(() => pushed)
      .then(() => done(), done);
  }
}

/** The chunks one after the other in memory of their own, which can be given to another thread. */
function joined(chunks: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let length = 0;
  for (const chunk of chunks) {
    all.set(chunk, length);
    length += chunk.length;
  }
  return all;
}
