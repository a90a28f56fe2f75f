import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

/** A line to a server that a test can cut, as a tunnel or a lost network does. */
export interface CutLine {
  port: number;
  /** Ends every connection without a word; new ones are taken, unless `refuse`. */
  cut(refuse?: boolean): void;
  /** Passes nothing on any more and ends nothing: connections of before stay silent for ever, new ones until mended. */
  silence(): void;
  /** Takes connections again. */
  mend(): void;
  close(): void;
}

/** A relay to a port of this machine, or to the socket at a path. */
export async function openCutLine(to: () => number | string): Promise<CutLine> {
  const open = new Set<Socket>();
  let refusing = false;
  let silent = false;
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
    mend: () => {
      refusing = false;
      silent = false;
    },
    close() {
      cut(true);
      relay.close();
    },
  };
}
