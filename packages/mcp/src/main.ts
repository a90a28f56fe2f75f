#!/usr/bin/env node
/** bidwell-mcp: passes messages of an assistant, by standard input and output, to the server at BIDWELL_URL, with BIDWELL_KEY. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { connect } from './bridge.ts';

const { BIDWELL_URL, BIDWELL_KEY } = process.env;
if (
  !BIDWELL_URL ||
  !/^https?:\/\/[^/?#@]+\/*(\/mcp\/?)?$/i.test(BIDWELL_URL) ||
  // oxlint-disable-next-line no-restricted-properties -- called once, and so never optimised.
  !URL.canParse(BIDWELL_URL) ||
  !BIDWELL_KEY
) {
  console.error(
    'Set BIDWELL_URL, such as https://ads.example.com (a host without a further path), and BIDWELL_KEY, an API key.',
  );
  process.exit(1);
}
const requestInit = { headers: { authorization: `Bearer ${BIDWELL_KEY}` } };
const server = new StreamableHTTPClientTransport(new URL('/mcp', BIDWELL_URL), { requestInit });
await connect(new StdioServerTransport(), server);
