import { apiMessages } from '@bidwell/contract/text/messages';
import { PostbackTestReply } from '@bidwell/contract/postbacks/schema';
import { z } from 'zod';
import { Failure } from '@bidwell/contract/lib/wire';
import { readBodyText } from '../../../platform/http/bodies/response-body.ts';
import type { InstallRequest } from './test-install.ts';

/** What came back from the address of postbacks. */
export type Reply =
  /** Bidwell decided the test. */
  | { kind: 'decided'; test: PostbackTestReply }
  /** Bidwell replied 404: it does not know the secret. */
  | { kind: 'wrong_secret' }
  /** Bidwell took it for the postback of a real click. */
  | { kind: 'not_a_test' }
  /** Something else replied, or Bidwell without its databases. */
  | { kind: 'status'; status: number; location: string }
  | { kind: 'unreachable'; reason: 'timeout' | 'network' };

const TIMEOUT_MS = 5000;
const REPLY_BYTES_MAX = 16 * 1024;

const Decided = z.object({ data: PostbackTestReply });
const Counted = z.object({ data: z.object({ outcome: z.string() }) });

/** Sends the request of a partner through the network, and waits at most 5 s for the reply. Follows no redirect. */
export async function sendInstall({ url, headers }: InstallRequest): Promise<Reply> {
  try {
    const response = await fetch(url, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return replyOf(response, await bodyOf(response));
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return { kind: 'unreachable', reason: isLate ? 'timeout' : 'network' };
  }
}

function replyOf({ status, headers }: Response, body: unknown): Reply {
  if (status === 200) {
    const decided = Decided.safeParse(body);
    if (decided.success) return { kind: 'decided', test: decided.data.data };
    if (Counted.safeParse(body).success) return { kind: 'not_a_test' };
  }
  const rejected = Failure.safeParse(body);
  if (status === 404 && rejected.data?.data === apiMessages.notFound('Postback address'))
    return { kind: 'wrong_secret' };
  return { kind: 'status', status, location: headers.get('location') ?? '' };
}

/** The JSON of a response; null if it is anything else, or too long. */
async function bodyOf({ body }: Response): Promise<unknown> {
  const { text, whole } = await readBodyText(body, REPLY_BYTES_MAX);
  if (!whole) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
