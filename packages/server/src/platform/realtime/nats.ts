import { type Nats, UNNOTICED_MS } from '../nats/connection.ts';
import { NodeMessage, type Nodes } from './nodes.ts';

/**
 * One subject for all messages: every process receives what the others publish, and selects what concerns its own pages.
 */
const SUBJECT = 'bidwell.live';
/** Ended sessions that are queued while NATS is unavailable; each access token lives a quarter of an hour at most. */
const ENDINGS_MAX = 10_000;

/**
 * The other processes, by NATS. While it is unavailable, pages connected to this process are still served; once it is
 * back, every process is notified that publications may have been missed.
 */
export function natsNodes(nats: Nats): Nodes {
  const listeners: ((message: NodeMessage) => void)[] = [];
  let unpublished = false;
  let publishedMs = -Infinity;
  let endings: string[] = [];

  const onMessage = (message: NodeMessage): void => {
    for (const listener of listeners) listener(message);
  };
  const publish = (message: NodeMessage): void => {
    const isPublication = message.kind === 'publication';
    if (nats.publish(SUBJECT, JSON.stringify(message))) {
      if (isPublication) publishedMs = performance.now();
      return;
    }
    if (isPublication) unpublished = true;
    if (message.kind === 'ended') endings = [...endings, ...message.sessionIds].slice(-ENDINGS_MAX);
  };
  nats.subscribe(SUBJECT, (payload) => {
    const message = read(payload);
    if (message) onMessage(message);
  });
  // Messages of the meantime were not received, and queued ones are sent now.
  nats.onUp(() => {
    onMessage({ kind: 'missed' });
    const [ended, isUnpublished] = [endings, unpublished];
    endings = [];
    unpublished = false;
    if (ended.length > 0) publish({ kind: 'ended', sessionIds: ended });
    if (isUnpublished) publish({ kind: 'missed' });
  });
  // The connection may have been lost before that was detected.
  nats.onDown(() => (unpublished ||= performance.now() - publishedMs < UNNOTICED_MS));
  return { publish, listen: (listener) => void listeners.push(listener) };
}

function read(payload: Uint8Array): NodeMessage | null {
  try {
    return NodeMessage.parse(JSON.parse(Buffer.from(payload).toString('utf8')));
  } catch {
    // A process of another version may send messages that this one cannot read.
    return null;
  }
}
