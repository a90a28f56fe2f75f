import { LiveMessage } from '@bidwell/contract/live/schema';
import type { Pages, Publisher } from './publisher.ts';
import { z } from 'zod';
import { type Nats, UNNOTICED_MS } from '../nats/connection.ts';

/** Publishes live updates to all open pages, whichever process they are connected to. */
export interface FanOut extends Publisher {
  /** Notifies the other processes that figures changed; processes with open pages of the companies compute the new ones. */
  notifyMoved(companyIds: readonly string[]): void;
  /** Closes the connections of sessions that ended here, in all processes. */
  endSessions(sessionIds: readonly string[]): void;
}

/** Implementation for an installation of one process. */
export const noOtherNodes: Nodes = {
  publish() {},
  listen() {},
};

/**
 * Connects the pages of this process with the other processes. `handlers.moved` is called when another process reports
 * changed figures.
 */
export function fanOut(
  pages: Pages,
  nodes: Nodes,
  handlers: { moved(companyIds: readonly string[]): void },
): FanOut {
  nodes.listen((message) => {
    if (message.kind === 'publication') pages.toCompany(message.companyId, message.message);
    else if (message.kind === 'moved') handlers.moved(message.companyIds);
    else if (message.kind === 'missed') pages.startAnew();
    else pages.endSessions(message.sessionIds);
  });
  return {
    toCompany(companyId: string, message: LiveMessage): void {
      pages.toCompany(companyId, message);
      nodes.publish({ kind: 'publication', companyId, message });
    },
    notifyMoved: (companyIds) => nodes.publish({ kind: 'moved', companyIds: [...companyIds] }),
    endSessions(sessionIds): void {
      pages.endSessions(sessionIds);
      nodes.publish({ kind: 'ended', sessionIds: [...sessionIds] });
    },
  };
}

/** Message from one process of the installation to the others. */
const NodeMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('publication'), companyId: z.string(), message: LiveMessage }),
  /** Companies whose figures of today changed; processes with open pages of theirs compute the new ones. */
  z.object({ kind: z.literal('moved'), companyIds: z.array(z.string()) }),
  /** Sessions that ended: their access tokens are no longer valid. */
  z.object({ kind: z.literal('ended'), sessionIds: z.array(z.string()) }),
  /** Messages of the sender may have been lost. */
  z.object({ kind: z.literal('missed') }),
]);

export type NodeMessage = z.infer<typeof NodeMessage>;

/** The other processes of this installation. */
interface Nodes {
  /** Publishes to all other processes. Never throws or blocks. */
  publish(message: NodeMessage): void;
  /** Calls `listener` with the messages of the other processes, in the order of each. */
  listen(listener: (message: NodeMessage) => void): void;
}

/**
 * One subject for all messages: every process receives the messages of the others, and selects the ones for its own pages.
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
