import { type RequestListener, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach } from 'vitest';

/** An HTTP server on a free port of this machine, closed after the file's tests. */
export interface LocalServer {
  port: number;
  /** Responds to a request. A test may replace it; the next test has the first one again. */
  respond: RequestListener;
  /** The requests of the current test, in their order. */
  received: { host: string | undefined; url: string | undefined; cookie: string | undefined }[];
}

/** Starts a server, with HTTPS if there is a certificate. */
export async function localServer(
  respond: RequestListener,
  certificate?: { key: string; cert: string },
): Promise<LocalServer> {
  const listener: RequestListener = (request, response) => {
    const { host, cookie } = request.headers;
    local.received.push({ host, url: request.url, cookie });
    local.respond(request, response);
  };
  const server = certificate ? createTlsServer(certificate, listener) : createServer(listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const local: LocalServer = { port: (server.address() as AddressInfo).port, respond, received: [] };
  beforeEach(() => {
    local.received = [];
    local.respond = respond;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return local;
}
