import { once } from 'node:events';
import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  createServer,
  request as httpRequest,
} from 'node:http';
import { type Socket, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Balancer } from './balancer.ts';

/** The largest bid request or notice; the limit of the server itself is lower. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;
/** How long a process may take for a bid request or a notice. */
const RESPONSE_WITHIN_MS = 10_000;
const CONNECT_WITHIN_MS = 2000;
/** Headers that belong to one connection. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding'];

/** The processes that requests are sent to, by what they serve. */
export interface ProxyTargets {
  bidder: Balancer;
  tracker: Balancer;
  api: Balancer;
}

/** The public address of a cluster. */
export interface ReverseProxy {
  close(): Promise<void>;
}

/**
 * Listens at a port of this machine and sends each path to the role that serves it, as deploy/compose/nginx.conf does. Bid
 * requests and notices go to another process if the first one fails or responds with 503; other requests only if no
 * connection to the first one could be made. Responds with 502 if no process responds.
 */
export async function startProxy(port: number, targets: ProxyTargets): Promise<ReverseProxy> {
  const agent = new Agent({ keepAlive: true });
  const sockets = new Set<Duplex>();
  const server = createServer((request, response) => {
    const role = roleOf(request.url ?? '/');
    const forwarded =
      role === 'api'
        ? forwardStream(request, response, targets.api)
        : forwardWhole(request, response, targets[role], agent);
    forwarded.catch(() => reject(response, 502));
  });
  server.on('upgrade', (request, near: Duplex, head: Buffer) => {
    sockets.add(near.on('error', () => {}).on('close', () => sockets.delete(near)));
    void forwardUpgrade(request, near, head, targets.api).catch(() => near.destroy());
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      await closed;
    },
  };
}

function roleOf(url: string): keyof ProxyTargets {
  if (url.startsWith('/openrtb/')) return 'bidder';
  return /^\/(t|m|postback|skadnetwork|\.well-known\/(skadnetwork|appattribution))\//.test(url)
    ? 'tracker'
    : 'api';
}

/** Reads the whole request and sends it to a process; to another one if the first fails or is stopping. */
async function forwardWhole(
  request: IncomingMessage,
  response: ServerResponse,
  balancer: Balancer,
  agent: Agent,
): Promise<void> {
  const body = await bodyOf(request);
  if (!body) return reject(response, 413);
  const ports = balancer.next(2);
  for (const [index, port] of ports.entries()) {
    const received = await send(request, body, port, agent).catch(() => null);
    if (!received) continue;
    if (received.statusCode === 503 && index + 1 < ports.length) {
      received.resume();
      continue;
    }
    return pass(received, response);
  }
  reject(response, 502);
}

async function send(
  from: IncomingMessage,
  body: Buffer,
  port: number,
  agent: Agent,
): Promise<IncomingMessage> {
  const headers = { ...headersFor(from), 'content-length': String(body.length) };
  const { method, url: path } = from;
  const hasBody = body.length > 0 || method === 'POST';
  if (!hasBody) delete (headers as IncomingHttpHeaders)['content-length'];
  const timeout = RESPONSE_WITHIN_MS;
  const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent, timeout });
  sent.on('timeout', () => sent.destroy(new Error('The process did not answer.')));
  sent.end(body);
  const [received] = (await once(sent, 'response')) as [IncomingMessage];
  sent.on('error', () => {});
  return received;
}

/** Sends the request on while it is read. */
async function forwardStream(
  request: IncomingMessage,
  response: ServerResponse,
  balancer: Balancer,
): Promise<void> {
  const socket = await connectToOne(balancer);
  const { method, url: path } = request;
  const headers = { ...headersFor(request), connection: 'close' };
  const sent = httpRequest({ method, path, headers, createConnection: () => socket });
  response.on('close', () => socket.destroy());
  request.on('error', () => socket.destroy());
  request.pipe(sent);
  const [received] = (await once(sent, 'response')) as [IncomingMessage];
  sent.on('error', () => {});
  pass(received, response);
}

async function forwardUpgrade(
  request: IncomingMessage,
  near: Duplex,
  head: Buffer,
  balancer: Balancer,
): Promise<void> {
  const far = await connectToOne(balancer);
  far.on('error', () => near.destroy()).on('close', () => near.destroy());
  near.on('close', () => far.destroy());
  const { connection = 'upgrade' } = request.headers;
  const headers = { ...headersFor(request), connection };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  far.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('')}\r\n`);
  far.write(head);
  far.pipe(near).pipe(far);
}

/** Connects to the next process that accepts; throws if none does. */
async function connectToOne(balancer: Balancer): Promise<Socket> {
  for (const port of balancer.next(Infinity)) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_WITHIN_MS) });
      return socket;
    } catch {
      socket.on('error', () => {}).destroy();
    }
  }
  throw new Error('No process accepts the connection.');
}

function headersFor({ headers, socket }: IncomingMessage): Record<string, string | string[]> {
  const passed = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name));
  return {
    ...(Object.fromEntries(passed) as Record<string, string | string[]>),
    'x-forwarded-for': socket.remoteAddress ?? '127.0.0.1',
    'x-forwarded-proto': 'http',
  };
}

/** The body; null if it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function pass(received: IncomingMessage, response: ServerResponse): void {
  const headers = Object.entries(received.headers).filter(([name]) => !HOP_BY_HOP.includes(name));
  response.writeHead(received.statusCode!, Object.fromEntries(headers) as IncomingHttpHeaders);
  received.on('error', () => response.destroy());
  received.pipe(response);
}

function reject(response: ServerResponse, status: number): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { connection: 'close' }).end();
}
