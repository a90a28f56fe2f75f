import { apiKeyOf } from '@bidwell/testing/caller-tokens';
import { testApp } from '@bidwell/testing/test-app';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const app = await testApp({ HOST: '127.0.0.1', LOG_LEVEL: 'silent' });
await app.listen();
const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const programWith = (key: string) =>
  new StdioClientTransport({
    command: process.execPath,
    args: ['--import', fileOf('../../../scripts/typescript.mjs'), fileOf('main.ts')],
    env: { BIDWELL_URL: url, BIDWELL_KEY: key },
    stderr: 'ignore',
  });

test('an assistant that starts programs has the tools of its key', async () => {
  const company = await app.freshCompany();
  const client = new Client({ name: 'assistant', version: '1' });
  await client.connect(programWith(await apiKeyOf(company, ['finance'])));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['read_finance', 'request_top_up']));
  const { content } = await client.callTool({ name: 'read_finance', arguments: { what: 'balance' } });
  expect(JSON.parse((content as { text: string }[]).at(-1)!.text)).toMatchObject({
    balance: 0,
    currency: 'USD',
  });
  await client.close();
});

test('a key that the server does not know gets the reason', async () => {
  const client = new Client({ name: 'assistant', version: '1' });
  await expect(client.connect(programWith('bidwell_unknown'))).rejects.toThrow(/401|API key/);
});
