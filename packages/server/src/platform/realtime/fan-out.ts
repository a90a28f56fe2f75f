import type { LiveMessage } from '@bidwell/contract/live/schema';
import type { Nodes } from './nodes.ts';
import type { Pages, Publisher } from './publisher.ts';

/** Publishes live updates to all open pages, whichever process they are connected to. */
export interface FanOut extends Publisher {
  /** Notifies the other processes that figures changed; those with open pages of the companies compute the new ones. */
  notifyMoved(companyIds: readonly string[]): void;
  /** Closes the connections of sessions that ended here, in all processes. */
  endSessions(sessionIds: readonly string[]): void;
}

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
