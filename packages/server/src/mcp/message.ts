import { assistantMessages } from '@bidwell/contract/text/assistant-messages';
import {
  CallToolRequestSchema,
  InitializeRequestSchema,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { FIELDS_MAX, isTooWide, jsonOf } from './tools.ts';

/** An error of JSON-RPC 2.0. */
export interface RpcError {
  code: number;
  message: string;
}

/** Errors for messages that name no request. */
export const PARSE_ERROR: RpcError = { code: -32_700, message: assistantMessages.unreadable };
const NO_BATCHES: RpcError = { code: -32_600, message: assistantMessages.noBatches };
const INVALID_REQUEST: RpcError = { code: -32_600, message: assistantMessages.noMessage };
const TOO_WIDE: RpcError = { code: -32_600, message: assistantMessages.tooWide(FIELDS_MAX) };
const INVALID_PARAMS = -32_602;

/** The request in a message, for methods that take parameters. */
const REQUESTS: readonly z.ZodType[] = [
  InitializeRequestSchema,
  ListToolsRequestSchema,
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
];
const REQUEST_BY_METHOD = new Map(
  REQUESTS.map((schema) => [
    (schema as unknown as { shape: { method: { value: string } } }).shape.method.value,
    schema,
  ]),
);

/**
 * The message in a body, without parameters that are null, or the error that answers it: a body that is no message has the id null, a
 * request with parameters that its method does not take its own id. Pure.
 */
export function messageIn(
  body: unknown,
): { message: JSONRPCMessage } | { id: string | number | null; error: RpcError } {
  if (Array.isArray(body)) return { id: null, error: NO_BATCHES };
  if (isTooWide(body)) return { id: null, error: TOO_WIDE };
  const { success, data: message } = JSONRPCMessageSchema.safeParse(readParams(body));
  if (!success) return { id: null, error: INVALID_REQUEST };
  if (!('method' in message) || !('id' in message)) return { message };
  const read = REQUEST_BY_METHOD.get(message.method)?.safeParse(message);
  if (read?.success !== false) return { message };
  return { id: message.id, error: { code: INVALID_PARAMS, message: z.prettifyError(read.error) } };
}

/**
 * A message without parameters that are null, which some assistants send for those that they leave out, and with the arguments of a tool, which
 * others send as their JSON, as an object. Pure.
 */
function readParams(message: unknown): unknown {
  if (typeof message !== 'object' || message === null) return message;
  const { method, params } = message as { method?: unknown; params?: unknown };
  if (params === null) return { ...message, params: undefined };
  if (typeof params !== 'object' || Array.isArray(params)) return message;
  const given = Object.fromEntries(Object.entries(params ?? {}).filter(([, value]) => value !== null));
  if (method === 'tools/call' && 'arguments' in given) given['arguments'] = jsonOf(given['arguments']);
  return { ...message, params: given };
}
