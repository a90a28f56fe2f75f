import { LiveMessage } from '@bidwell/contract/live/schema';
import { z } from 'zod';

/** Message from one process of the installation to the others. */
export const NodeMessage = z.discriminatedUnion('kind', [
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
export interface Nodes {
  /** Publishes to all other processes. Never throws or blocks. */
  publish(message: NodeMessage): void;
  /** Calls `listener` with the messages of the other processes, in the order of each. */
  listen(listener: (message: NodeMessage) => void): void;
}

/** Implementation for an installation of one process. */
export const noOtherNodes: Nodes = {
  publish() {},
  listen() {},
};
