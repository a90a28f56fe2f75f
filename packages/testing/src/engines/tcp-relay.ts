import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { Transform } from 'node:stream';

/** A TCP relay to a server that a test can cut, like a network failure. */
export interface TcpRelay {
  port: number;
  /** Destroys all connections; accepts new ones unless `refuse`. */
  cut(refuse?: boolean): void;
  /** Forwards no data and closes nothing: present connections stay silent forever, new ones until `mend`. */
  silence(): void;
  /** Delays each piece of data by this number of milliseconds, in both directions, in order. */
  slow(delayMs: number): void;
  /** Accepts and forwards connections again, at once. */
  mend(): void;
  close(): void;
}

/** Opens a relay to a local port, or to the Unix socket at a path. */
export async function openTcpRelay(to: () => number | string): Promise<TcpRelay> {
  const open = new Set<Socket>();
  let refusing = false;
  let silent = false;
  let delayMs = 0;
  const delayed = () =>
    new Transform({
      transform(piece, _encoding, done) {
        if (delayMs > 0) setTimeout(done, delayMs, null, piece);
        else done(null, piece);
      },
    });
  const relay = createServer((near) => {
    if (refusing) return void near.destroy();
    open.add(near);
    near.on('error', () => {});
    near.on('close', () => open.delete(near));
    if (silent) return;
    const target = to();
    const far = typeof target === 'string' ? connect(target) : connect(target, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(delayed()).pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const cut = (refuse = false) => {
    refusing = refuse;
    for (const socket of open) socket.destroy();
  };
  return {
    port: (relay.address() as AddressInfo).port,
    cut,
    silence() {
      silent = true;
      for (const socket of open) {
        socket.unpipe();
        socket.pause();
      }
    },
    slow(ms) {
      delayMs = ms;
    },
    mend: () => {
      refusing = false;
      silent = false;
      delayMs = 0;
    },
    close() {
      cut(true);
      relay.close();
    },
  };
}
