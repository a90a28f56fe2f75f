import { Agent, type IncomingMessage, createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '@bidwell/testing/test-app';
import { eventually } from '@bidwell/testing/eventually';
import { exhaustive } from '@bidwell/testing/whole-run';
import { closeWithin, drain } from './drain.ts';

const app = await testApp({ SHUTDOWN_GRACE_SECONDS: '5' });
const CONNECTIONS = 64;

exhaustive(
  'a stop resets none of 64 busy connections: /readyz fails first, and running requests finish',
  async () => {
    await app.listen();
    const { port } = app.http.server.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS + 2 });
    const call = (path: string, body?: (send: (text: string) => void) => Promise<void>) =>
      new Promise<{ status: number; closes: boolean; reused: boolean }>((resolve, reject) => {
        const sent = request(
          { port, path, agent, method: body ? 'POST' : 'GET' },
          (response: IncomingMessage) => {
            response.resume().on('end', () =>
              resolve({
                status: response.statusCode!,
                closes: response.headers.connection === 'close',
                reused: sent.reusedSocket,
              }),
            );
          },
        );
        sent.on('error', reject);
        if (!body) sent.end();
        else void body((text) => sent.write(text)).then(() => sent.end());
      });

    let responses = 0;
    let broken = 0;
    const states: number[] = [];
    const client = async (path: string): Promise<void> => {
      for (;;) {
        try {
          const { status, closes } = await call(path);
          responses += 1;
          if (path === '/readyz') states.push(status);
          // A check that began before the stop may still say 200; the next one does not.
          if (closes && !(path === '/readyz' && status === 200)) return;
        } catch {
          broken += 1;
          return;
        }
      }
    };
    const clients = Array.from({ length: CONNECTIONS }, (_, index) =>
      client(index === 0 ? '/readyz' : index % 2 === 0 ? '/healthz' : '/openrtb/nobody'),
    );
    // A request whose body is still being sent when the server is stopped.
    let stopping = (): void => {};
    const slow = call('/openrtb/nobody', async (send) => {
      send('{"id":');
      await new Promise<void>((resume) => (stopping = resume));
      send('"1"}');
    });
    await eventually(() => expect(responses).toBeGreaterThan(10 * CONNECTIONS));
    const draining = app.drain();
    stopping();
    await Promise.all(clients);
    await draining;
    expect(broken).toBe(0);
    expect(states[0]).toBe(200);
    expect(states.at(-1)).toBe(503);
    expect((await slow).status).toBe(404);
    const closing = app.close();
    // No new connection is accepted.
    await closing;
    await expect(call('/healthz')).rejects.toThrow('ECONNREFUSED');
    agent.destroy();
  },
);

test('a request on an idle connection is answered even if it arrives as the grace period ends, and closes it', async () => {
  const server = createServer((_request, response) => void response.end('ok'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void client.destroy());
  let received = '';
  client.setEncoding('utf8').on('data', (text: string) => (received += text));
  const sendRequest = () => client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  sendRequest();
  await eventually(() => expect(received).toMatch(/keep-alive[^]*ok/i));
  const ended = new Promise<void>((resolve, reject) => client.on('end', resolve).on('error', reject));
  received = '';
  const stopped = drain(server, 20).then(() =>
    closeWithin(server, () => new Promise((closed) => server.close(() => closed()))),
  );
  // The process is busy until the grace period is over, so that the request waits in the socket: after this turn, timers
  // run before the data is read.
  await nextTurn();
  sendRequest();
  const busyUntilMs = performance.now() + 50;
  while (performance.now() < busyUntilMs);
  await stopped;
  await ended;
  expect(received).toMatch(/^HTTP\/1\.1 200 OK[^]*connection: close[^]*ok/i);
});
