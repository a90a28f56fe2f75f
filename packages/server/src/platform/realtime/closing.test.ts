import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { testApp } from '../../testing/test-app.ts';

const app = await testApp();

test('a server that closes tells its clients to come back', async () => {
  const { token } = await app.freshCompany();
  await app.listen();
  const { port } = app.http.server.address() as AddressInfo;
  const open = async (connects: boolean): Promise<{ closed: Promise<number> }> => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/connection/websocket`);
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    await new Promise((resolve) => socket.on('open', resolve));
    if (connects) {
      const answered = new Promise((resolve) => socket.on('message', resolve));
      socket.send(JSON.stringify({ id: 1, connect: { token } }));
      await answered;
    }
    return { closed };
  };
  const sockets = [await open(true), await open(true), await open(false)];
  const [codes] = await Promise.all([Promise.all(sockets.map(({ closed }) => closed)), app.close()]);
  expect(codes).toEqual([3001, 3001, 3001]);
});
