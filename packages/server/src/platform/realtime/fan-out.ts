import type { LiveMessage } from '@bidwell/contract/live';
import type { Nodes } from './nodes.ts';
import type { Pages, Publisher } from './publisher.ts';

/** Live updates to all open pages, whichever process they are connected to. */
export interface FanOut extends Publisher {
  /** Tells the other processes that figures moved: those that have pages of the companies work them out. */
  tellMoved(companyIds: readonly string[]): void;
  /** Sessions ended here: their connections are closed everywhere. */
  endSessions(sessionIds: readonly string[]): void;
}

/** Joins the pages of this process with the other processes. `heard` is told what those say beside publications. */
export function fanOut(
  pages: Pages,
  nodes: Nodes,
  heard: { moved(companyIds: readonly string[]): void },
): FanOut {
  nodes.listen((message) => {
    if (message.kind === 'publication') pages.toCompany(message.companyId, message.message);
    else if (message.kind === 'moved') heard.moved(message.companyIds);
    else if (message.kind === 'missed') pages.startAnew();
    else pages.endSessions(message.sessionIds);
  });
  return {
    toCompany(companyId: string, message: LiveMessage): void {
      pages.toCompany(companyId, message);
      nodes.tell({ kind: 'publication', companyId, message });
    },
    tellMoved: (companyIds) => nodes.tell({ kind: 'moved', companyIds: [...companyIds] }),
    endSessions(sessionIds): void {
      pages.endSessions(sessionIds);
      nodes.tell({ kind: 'ended', sessionIds: [...sessionIds] });
    },
  };
}
