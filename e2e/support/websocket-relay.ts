import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import type { Server } from './server.ts';

/** A relay to a server that can block websockets only. */
export interface WebsocketRelay {
  /** The server, with the relay's URL. */
  server: Server;
  /** Allows or blocks new websockets; open ones stay. */
  allowWebsockets(allowed: boolean): void;
  /** Destroys all open websockets, like a network failure. */
  dropWebsockets(): void;
  close(): void;
}

/** Opens a relay to the server. */
export async function openWebsocketRelay(server: Server): Promise<WebsocketRelay> {
  const sockets = new Set<Socket>();
  const websockets = new Set<Socket>();
  let websocketsAllowed = true;
  const relay = createServer((client) => {
    sockets.add(client);
    const upstream = connect(Number(new URL(server.url).port), 'localhost');
    client.on('data', (chunk) => {
      if (chunk.includes('GET /connection/websocket')) {
        if (!websocketsAllowed) return void client.destroy();
        websockets.add(client);
      }
      upstream.write(chunk);
    });
    upstream.pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    client.on('close', () => {
      sockets.delete(client);
      websockets.delete(client);
    });
  }).listen(0, 'localhost');
  await once(relay, 'listening');
  const url = `http://localhost:${(relay.address() as AddressInfo).port}`;
  return {
    server: { ...server, url },
    allowWebsockets: (allowed) => void (websocketsAllowed = allowed),
    dropWebsockets() {
      for (const socket of websockets) socket.destroy();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      relay.close();
    },
  };
}
