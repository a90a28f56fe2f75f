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
    call: async (name: string, input: Record<string, unknown> = {}) =>
      read((await client.callTool({ name, arguments: input })) as unknown as ToolResult),
  };
}

/** Calls tools with a key as an assistant does, by single messages without a connection. */
export function toolsOf({ http }: Pick<TestApp, 'http'>, key: string) {
  return async (name: string, input: Record<string, unknown> = {}) => {
    const params = { name, arguments: input };
    const response = await http.inject({
      method: 'POST',
      url: '/mcp',
      headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    return read(response.json<{ result: ToolResult }>().result);
  };
}

interface ToolResult {
  content: { text: string }[];
  isError?: boolean;
}

/** The texts of a tool's result; `data` is what the last one has as JSON. */
function read({ content, isError = false }: ToolResult) {
  const texts = content.map(({ text }) => text);
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads what it asserts
  const data: any = isError ? undefined : JSON.parse(texts.at(-1)!);
  return { isError, texts, data };
}
