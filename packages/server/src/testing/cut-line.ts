import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { afterAll } from 'vitest';

/** A line to a server that a test can cut, as a tunnel or a lost network does. */
export interface CutLine {
  port: number;
  /** Ends every connection without a word; new ones are taken, unless `refuse`. */
  cut(refuse?: boolean): void;
  /** Takes connections again. */
  mend(): void;
}

/** A relay to a port of this machine; closed after the file's tests. */
export async function cutLine(toPort: () => number): Promise<CutLine> {
  const open = new Set<Socket>();
  let refusing = false;
  const relay = createServer((near) => {
    if (refusing) return void near.destroy();
    const far = connect(toPort(), '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(other);
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
  afterAll(() => {
    cut(true);
    relay.close();
  });
  return {
    port: (relay.address() as AddressInfo).port,
    cut,
    mend: () => {
      refusing = false;
    },
  };
}
