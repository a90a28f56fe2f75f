import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server } from './server.ts';

/** A relay to a server that delays the responses for some paths. */
export interface SlowRelay {
  /** The server, with the relay's URL. */
  server: Server;
  close(): void;
}

/** Opens a relay that holds the responses for `path` back for `delayMs`, after the server has done what they say. */
export async function openSlowRelay(server: Server, path: string, delayMs: number): Promise<SlowRelay> {
  const { port } = new URL(server.url);
  const relay = createServer((request, response) => {
    const { method, url, headers } = request;
    const upstream = send({ host: 'localhost', port, method, path: url, headers }, (answer) => {
      setTimeout(
        () => {
          response.writeHead(answer.statusCode!, answer.rawHeaders);
          answer.pipe(response);
        },
        url === path ? delayMs : 0,
      );
    });
    upstream.on('error', () => response.destroy());
    response.on('error', () => upstream.destroy());
    request.pipe(upstream);
  }).listen(0, 'localhost');
  await once(relay, 'listening');
  return {
    server: { ...server, url: `http://localhost:${(relay.address() as AddressInfo).port}` },
    close() {
      relay.close();
      relay.closeAllConnections();
    },
  };
}
