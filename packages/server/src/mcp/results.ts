import { assistantMessages } from '@bidwell/contract/text/assistant-messages';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** Longer results would fill an assistant's memory. */
const TEXT_MAX = 60_000;

/** A result of data, which texts of strangers may be part of: JSON, in which they cannot end their quotes. */
export function dataResult(value: unknown): CallToolResult {
  return {
    content: [
      { type: 'text', text: assistantMessages.data },
      { type: 'text', text: boundedJson(value) },
    ],
  };
}

/** A failure, in a sentence of the server. */
export function failure(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: text.slice(0, TEXT_MAX) }] };
}

/** A failure of the API, whose sentence may have names of the account in it. */
export function dataFailure(text: string): CallToolResult {
  return { ...dataResult(text.slice(0, TEXT_MAX / 2)), isError: true };
}

/** JSON of a value; of a long one the beginning, as a text within JSON that says so. */
export function boundedJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (text.length <= TEXT_MAX) return text;
  return JSON.stringify({
    cut: assistantMessages.cut(Buffer.byteLength(text)),
    beginning: text.slice(0, TEXT_MAX / 2),
  });
}
