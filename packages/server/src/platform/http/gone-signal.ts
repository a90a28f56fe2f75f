import { apiMessages } from '@bidwell/contract/text/api-messages';
import type { FastifyReply } from 'fastify';
import { Unavailable } from '../errors.ts';

const signals = new WeakMap<FastifyReply['raw'], AbortSignal>();

/** Signal that aborts when the connection closes before the response is complete: each response has one signal for all callers. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const signal = signals.get(raw) ?? newSignal(raw);
  signals.set(raw, signal);
  return signal;
}

function newSignal(raw: FastifyReply['raw']): AbortSignal {
  const gone = new AbortController();
  const closed = () => {
    if (!raw.writableFinished) gone.abort(new Unavailable(apiMessages.clientGone));
  };
  if (raw.destroyed) closed();
  else raw.once('close', closed);
  return gone.signal;
}
