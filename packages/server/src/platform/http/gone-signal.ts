import { apiMessages } from '@bidwell/contract/text/messages';
import type { FastifyReply } from 'fastify';
import { Unavailable } from '../errors.ts';

/** Signal that aborts when the connection closes before the response is complete. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const closed = () => {
    if (!raw.writableFinished) gone.abort(new Unavailable(apiMessages.clientGone));
  };
  if (raw.destroyed) closed();
  else raw.once('close', closed);
  return gone.signal;
}
