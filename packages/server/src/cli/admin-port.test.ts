import { readBackup } from '@bidwell/contract/operator/endpoints';
import { testApp } from '@bidwell/testing/test-app';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createClient } from './client.ts';
import { commands } from './commands.ts';

const app = await testApp({ ADMIN_PORT: '0' });
await app.listen();
const { port } = app.http.server.address() as AddressInfo;

test('without the ADMIN_PORT of the server, a command says that the API is at another port', async () => {
  const client = createClient(`http://127.0.0.1:${port}`, app.ctx.config.operatorToken, { say: () => {} });
  const sentences =
    `The operator’s API is not at http://127.0.0.1:${port}. Where the server has ADMIN_PORT, it is at that port only: ` +
    'set ADMIN_PORT to the same for this command.';
  const add = ['--login', 'grace.hopper', '--name', 'Grace Hopper', '--role', 'admin'];
  await expect(commands['companies']!.run(client, [])).rejects.toThrow(sentences);
  await expect(commands['add-operator']!.run(client, add)).rejects.toThrow(sentences);
  await expect(client.stream(readBackup)).rejects.toThrow(sentences);
});

test('a command takes an address with a trailing slash, and says of one with a path that it may have none', async () => {
  const admin = app.admin!.server.address() as AddressInfo;
  const at = (url: string) => createClient(url, app.ctx.config.operatorToken, { say: () => {} });
  await commands['companies']!.run(at(`HTTP://127.0.0.1:${admin.port}/`), []);
  expect(() => at(`http://127.0.0.1:${admin.port}/api`)).toThrow(
    /^BIDWELL_URL should be an address .*without a path/,
  );
});
