import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '@bidwell/testing/eventually';
import { testApp } from '@bidwell/testing/test-app';

const CONNECTIONS = 10;
const app = await testApp({ CONNECTIONS_MAX: String(CONNECTIONS) });
await app.listen();

test('a connection beyond the maximum is closed and counted, and one that ends makes room', async () => {
  const { port } = app.http.server.address() as AddressInfo;
  const open = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const responds = async (): Promise<boolean> => {
    const socket = await open();
    socket.write('GET /healthz HTTP/1.1\r\nhost: bidwell.test\r\n\r\n');
    return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
  };
  const held = await Promise.all(Array.from({ length: CONNECTIONS }, open));
  // A connection counts once the server has accepted it.
  await eventually(async () => expect(await responds()).toBe(false));
  const { body } = await app.http.inject('/metrics');
  expect(body).toMatch(/^bidwell_connections_refused_total [1-9]/m);
  for (const socket of held) socket.destroy();
  await eventually(async () => expect(await responds()).toBe(true));
});
