import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import type { Server } from './server.ts';

/** A relay to a server that can block websockets only. */
export interface Line {
  /** The server, with the relay's URL. */
  server: Server;
  /** Allows or blocks new websockets; open ones stay. */
  letThrough(websockets: boolean): void;
  /** Destroys all open websockets, like a network failure. */
  cut(): void;
  close(): void;
}

/** Opens a relay to the server. */
export async function lineTo(server: Server): Promise<Line> {
  const sockets = new Set<Socket>();
  const websockets = new Set<Socket>();
  let open = true;
  const relay = createServer((near) => {
    sockets.add(near);
    const far = connect(Number(new URL(server.url).port), 'localhost');
    near.on('data', (chunk) => {
      if (chunk.includes('GET /connection/websocket')) {
        if (!open) return void near.destroy();
        websockets.add(near);
      }
      far.write(chunk);
    });
    far.pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    near.on('close', () => {
      sockets.delete(near);
      websockets.delete(near);
    });
  }).listen(0, 'localhost');
  await once(relay, 'listening');
  const url = `http://localhost:${(relay.address() as AddressInfo).port}`;
  return {
    server: { ...server, url },
    letThrough: (through) => void (open = through),
    cut() {
      for (const socket of websockets) socket.destroy();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      relay.close();
    },
  };
}
