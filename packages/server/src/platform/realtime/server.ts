import type { LiveMessage } from '@bidwell/contract/live/schema';
import type { IncomingMessage, Server } from 'node:http';
import { WebSocketServer } from 'ws';
import type { Session, TokenError } from '../http/auth/auth.ts';
import { Connection } from './connection.ts';
import { Hub } from './hub.ts';
import { disconnects } from './protocol.ts';
import { type Pages, companyChannel, hasHistory } from './publisher.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

const PATH = '/connection/websocket';
const FRAME_BYTES_MAX = 64 * 1024;
const PAGES_MAX = 20_000;
const CONNECTIONS_OF_USER_MAX = 100;

/**
 * The built-in websocket server: Centrifuge protocol (JSON), with subscriptions determined by the access token. Pages recover exactly what
 * they missed while they were disconnected, and one process needs no other service. It sends about as many publications a second as a
 * bare `ws` server (`npm run bench -- realtime`).
 */
export function createRealtime(
  readToken: (token: string) => Promise<{ session: Session; expiresAt: Date } | TokenError>,
  publicUrl?: string,
): Pages {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES_MAX });
  const hub = new Hub(frameOf);
  const connections = new Set<Connection>();
  const users = new Map<string, Set<Connection>>();
  const userOf = new Map<Connection, string>();

  const host = {
    hub,
    readToken,
    admitted(connection: Connection, userId: string): boolean {
      const open = users.get(userId) ?? new Set();
      if (open.size >= CONNECTIONS_OF_USER_MAX) return false;
      users.set(userId, open.add(connection));
      userOf.set(connection, userId);
      return true;
    },
    left(connection: Connection): void {
      connections.delete(connection);
      const userId = userOf.get(connection);
      if (userId === undefined) return;
      userOf.delete(connection);
      const open = users.get(userId);
      open?.delete(connection);
      if (open?.size === 0) users.delete(userId);
    },
  };

  return {
    toCompany(companyId: string, message: LiveMessage): void {
      hub.publish(companyChannel(companyId), message, hasHistory(message));
    },
    isOpen: (companyId) => hub.isRead(companyChannel(companyId)),
    endSessions(sessionIds): void {
      const ended = new Set(sessionIds);
      for (const connection of connections) connection.sessionsEnded(ended);
    },
    startAnew(): void {
      hub.evictPositions();
      for (const connection of userOf.keys()) connection.end(disconnects.insufficientState);
    },
    connections: () => sockets.clients.size,
    attach(server: Server): void {
      server.on('upgrade', (request, socket, head) => {
        const path = request.url?.split('?')[0];
        if (path !== PATH || sockets.clients.size >= PAGES_MAX) return socket.destroy();
        if (!isOwnOrigin(request, publicUrl)) return void socket.end(FORBIDDEN, () => socket.destroy());
        sockets.handleUpgrade(request, socket, head, (client) => {
          connections.add(new Connection(client, socket, host));
        });
      });
    },
    async close(): Promise<void> {
      const { code, reason } = disconnects.shutdown;
      for (const client of sockets.clients) {
        client.close(code, reason);
        client.terminate();
      }
      sockets.close();
      hub.close();
    },
  };
}

const FORBIDDEN = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/**
 * Whether the request comes from a page of this server, or from a program, which sends no origin. Pages of other sites
 * may not connect.
 */
function isOwnOrigin({ headers }: IncomingMessage, publicUrl: string | undefined): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!canParseUrl(origin)) return false;
  return new URL(origin).host === host || (publicUrl !== undefined && origin === new URL(publicUrl).origin);
}

/** Encodes a text as a websocket frame of a server (RFC 6455, 5.2): final, unmasked, not compressed. */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([0x81, length]), payload]);
  const header = Buffer.alloc(length < 65_536 ? 4 : 10);
  header[0] = 0x81;
  header[1] = length < 65_536 ? 126 : 127;
  if (length < 65_536) header.writeUInt16BE(length, 2);
  else header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, payload]);
}
