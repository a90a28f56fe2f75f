import type { Server } from 'node:http';
import { WebSocketServer } from 'ws';
import type { Session } from '../http/auth.ts';
import { Connection } from './connection.ts';
import { disconnects } from './protocol.ts';
import type { LiveMessage, Publisher } from './publisher.ts';

export interface RealtimeServer extends Publisher {
  /** Takes the websocket upgrades of an HTTP server. */
  attach(server: Server): void;
  /** Tells every client to come back later. */
  close(): void;
}

const PATH = '/connection/websocket';
const FRAME_BYTES_MAX = 64 * 1024;
const CONNECTIONS_MAX = 20_000;

/** The built-in websocket server: Centrifuge protocol (JSON), subscriptions decided by the access token. */
export function createRealtime(
  readToken: (token: string) => Promise<{ session: Session; expiresAt: Date } | null>,
): RealtimeServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES_MAX });
  const members = new Map<string, Set<Connection>>();
  const connections = new Map<Connection, string[]>();

  const host = {
    readToken,
    joined(connection: Connection, channels: string[]): void {
      connections.set(connection, channels);
      for (const channel of channels) {
        const joined = members.get(channel) ?? new Set();
        members.set(channel, joined.add(connection));
      }
    },
    left(connection: Connection): void {
      for (const channel of connections.get(connection) ?? []) {
        const joined = members.get(channel);
        joined?.delete(connection);
        if (joined?.size === 0) members.delete(channel);
      }
      connections.delete(connection);
    },
  };

  return {
    toCompany(companyId: string, message: LiveMessage): void {
      const channel = `company:${companyId}`;
      const joined = members.get(channel);
      if (!joined) return;
      const frame = JSON.stringify({ push: { channel, pub: { data: message } } });
      for (const connection of joined) connection.send(frame);
    },
    attach(server: Server): void {
      server.on('upgrade', (request, socket, head) => {
        const path = request.url?.split('?')[0];
        if (path !== PATH || sockets.clients.size >= CONNECTIONS_MAX) return socket.destroy();
        sockets.handleUpgrade(request, socket, head, (client) => new Connection(client, host));
      });
    },
    close(): void {
      const { code, reason } = disconnects.shutdown;
      for (const client of sockets.clients) {
        client.close(code, reason);
        client.terminate();
      }
      sockets.close();
    },
  };
}
