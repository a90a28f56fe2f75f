/** A minimal HTTP/1.1 client, so that the load is not the bottleneck. */
import { once } from 'node:events';
import { type Socket, connect } from 'node:net';

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** A keep-alive connection with one request at a time. */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #done: (status: number, bytes: number) => void = () => {};
  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  static async to(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Connection(socket);
  }

  send(request: Buffer, done: (status: number, bytes: number) => void): void {
    this.#done = done;
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = this.#received.indexOf(END_OF_HEAD);
    if (headEnd < 0) return;
    const head = this.#received.toString('latin1', 0, headEnd);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const total = headEnd + END_OF_HEAD.length + length;
    if (this.#received.length < total) return;
    this.#received = this.#received.subarray(total);
    this.#done(Number(head.slice(9, 12)), length);
  }
}

/**
 * Keeps this process from sleeping until `work` is done. Otherwise each response of a slow server would wake it up, which
 * costs the server CPU time; a fast server's responses find it awake.
 */
export async function withoutSleep<Result>(work: Promise<Result>): Promise<Result> {
  let isDone = false;
  const poll = (): void => void (isDone || setImmediate(poll));
  poll();
  try {
    return await work;
  } finally {
    isDone = true;
  }
}
