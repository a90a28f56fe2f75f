import { API_TOKEN_PREFIX } from '@bidwell/contract/accounts/api-token';
import { assistantMessages } from '@bidwell/contract/text/assistant-messages';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import serverPackage from '../../package.json' with { type: 'json' };
import type { Context } from '../context.ts';
import { Forbidden, Malformed, Unauthenticated } from '../platform/errors.ts';
import { type ApiKeyAdmission, actorOf, bearer } from '../platform/http/auth/auth.ts';
import { ignoreMalformedTypes, jsonBodyParser } from '../platform/http/bodies/read-json.ts';
import { sendError } from '../platform/http/errors.ts';
import { goneSignal } from '../platform/http/gone-signal.ts';
import { publicUrlOf } from '../platform/http/public-url.ts';
import type { Http } from '../platform/http/server.ts';
import { type CallApi, type Caller, apiOf } from './api.ts';
import { PARSE_ERROR, type RpcError, messageIn } from './message.ts';
import { readResource, resourcesOf } from './resources.ts';
import { callTool } from './tool-calls.ts';
import { listedTools, readsReports } from './tools.ts';
import { WHY, whyNotSpending, whyTool } from './why-not-spending.ts';

/** Where assistants send their messages to. */
export const MCP_PATH = '/mcp';
const hidden = { schema: { hide: true } } as const;
/** Far more than an assistant writes. The work on a message is not divided, and others wait for it. */
const MESSAGE_BYTES_MAX = 256 * 1024;

/**
 * Registers the server for assistants (Model Context Protocol, streamable HTTP). It has no sessions: each message is a request with
 * an API key and has its response, so that any process answers it. Tools call the API of `http`, with its checks and limits.
 */
export function registerMcp(http: Http, scope: Http, ctx: Context, keys: ApiKeyAdmission): void {
  const api = apiOf(http);
  const origin = new URL(publicUrlOf(ctx.config)).origin;
  scope.addHook('onRequest', async (request, reply) => {
    // A page of another site that got hold of a key, or was given this server's address by its name server.
    if (request.headers.origin !== undefined && request.headers.origin !== origin)
      throw new Forbidden(assistantMessages.otherOrigin);
    const key = bearer(request);
    request.session = key?.startsWith(API_TOKEN_PREFIX) ? await keys.read(key, request) : null;
    if (!request.session) {
      void reply.header('www-authenticate', 'Bearer');
      throw new Unauthenticated(assistantMessages.onlyKeys);
    }
    await keys.limit(request);
  });
  // Some assistants send JSON under another type, or under none.
  ignoreMalformedTypes(scope);
  scope.removeAllContentTypeParsers();
  const parse = jsonBodyParser(scope);
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) =>
    parse(request, withoutMark(body as Buffer), done),
  );
  const errorHandler = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void =>
    void (isUnreadable(error) ? sendRpcError(reply, 400, PARSE_ERROR) : sendError(error, request, reply));
  for (const url of [MCP_PATH, `${MCP_PATH}/`]) {
    scope.post(url, { ...hidden, bodyLimit: MESSAGE_BYTES_MAX, errorHandler }, async (request, reply) =>
      answer(ctx, api, request, reply),
    );
    // A stream, for messages of the server without a question, and the end of a session: there are neither.
    scope.route({
      method: ['GET', 'DELETE'],
      url,
      ...hidden,
      handler: async (_request, reply) =>
        reply.code(405).header('allow', 'POST').send({ data: assistantMessages.postOnly }),
    });
  }
}

function sendRpcError(
  reply: FastifyReply,
  status: number,
  error: RpcError,
  id: string | number | null = null,
): FastifyReply {
  return reply.code(status).send({ jsonrpc: '2.0', id, error });
}

/** Whether a body is no JSON that the server can store. */
const isUnreadable = (error: FastifyError | Malformed): boolean =>
  error instanceof Malformed || error.statusCode === 400;

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, 3).equals(Buffer.from('\u{FEFF}')) ? bytes.subarray(3) : bytes;

/** Whether an `Accept` header covers a media type: by name, by a range, or because there is no header. Pure. */
function accepts(header: string | undefined, type: string): boolean {
  if (header === undefined || header.trim() === '') return true;
  const range = `${type.split('/')[0]}/*`;
  return header.split(',').some((each) => {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    return [type, range, '*/*'].includes(name) && !parameters.some((part) => /^q=0(?:\.0*)?$/.test(part));
  });
}

async function answer(
  ctx: Context,
  api: CallApi,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const read = messageIn(request.body);
  if ('error' in read) return sendRpcError(reply, read.id === null ? 400 : 200, read.error, read.id);
  const isJson = accepts(request.headers.accept, 'application/json');
  if (!isJson && !accepts(request.headers.accept, 'text/event-stream'))
    return sendRpcError(reply, 406, { code: -32_000, message: assistantMessages.notAcceptable });
  const caller = {
    session: actorOf(request),
    key: bearer(request)!,
    address: request.ip,
    signal: goneSignal(reply),
  };
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: isJson });
  const mcp = serverFor(ctx, api, caller);
  await mcp.connect(transport);
  try {
    const headers = Object.entries(request.headers).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    const sent = new Request(new URL(MCP_PATH, 'http://mcp.invalid'), {
      method: 'POST',
      // The library takes one spelling of these.
      headers: {
        ...Object.fromEntries(headers),
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
    });
    const response = await transport.handleRequest(sent, { parsedBody: read.message });
    const type = response.headers.get('content-type');
    if (type !== null) void reply.type(type);
    return await reply.code(response.status).send(await response.text());
  } finally {
    await mcp.close();
  }
}

/** The server for one message. */
function serverFor(ctx: Context, api: CallApi, caller: Caller): McpServer {
  const mcp = new McpServer(
    { name: 'bidwell', version: serverPackage.version },
    { capabilities: { tools: {}, resources: {} }, instructions: assistantMessages.instructions },
  );
  const { server } = mcp;
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...(readsReports(caller.session) ? [whyTool] : []), ...listedTools(caller.session)],
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input } }) =>
    name === WHY && readsReports(caller.session)
      ? whyNotSpending(api, caller, ctx.now(), input)
      : callTool(ctx, api, caller, { name, input }),
  );
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: resourcesOf(caller) }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) =>
    readResource(api, caller, ctx.now(), uri),
  );
  return mcp;
}
