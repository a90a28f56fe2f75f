import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { AddressInfo } from 'node:net';
import type { TestApp } from '../test-app.ts';

/** An assistant, by the client of the protocol's own SDK, of a server that listens. */
export async function assistantAt({ http }: TestApp, key: string) {
  const url = new URL(`http://127.0.0.1:${(http.server.address() as AddressInfo).port}/mcp`);
  const client = new Client({ name: 'assistant', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return {
    client,
    /** Calls a tool; `data` is what the last text of its result has as JSON. */
    async call(name: string, input: Record<string, unknown> = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: input });
      const texts = (content as { text: string }[]).map(({ text }) => text);
      // oxlint-disable-next-line typescript/no-explicit-any -- a test reads what it asserts
      const data: any = isError ? undefined : JSON.parse(texts.at(-1)!);
      return { isError: isError === true, texts, data };
    },
  };
}
