import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';

/** Passes the messages of an assistant to a server, and its messages back, until either ends. */
export async function connect(assistant: Transport, server: Transport): Promise<void> {
  let isEnded = false;
  // Each reports that it was closed, also by the other.
  const onclose = () => {
    if (isEnded) return;
    isEnded = true;
    void assistant.close();
    void server.close();
  };
  Object.assign(assistant, {
    onclose,
    onmessage: (message: JSONRPCMessage) => void pass(message, assistant, server),
  });
  Object.assign(server, { onclose, onmessage: (message: JSONRPCMessage) => void assistant.send(message) });
  await server.start();
  await assistant.start();
}

/**
 * Sends a message; a request that the server does not take is answered with the reason, so that the assistant does not wait for
 * it.
 */
async function pass(message: JSONRPCMessage, assistant: Transport, server: Transport): Promise<void> {
  try {
    await server.send(message);
  } catch (error) {
    if (!isJSONRPCRequest(message)) return;
    const text = error instanceof Error ? error.message : String(error);
    const reason = { code: ErrorCode.InternalError, message: text };
    await assistant.send({ jsonrpc: '2.0', id: message.id, error: reason });
  }
}
