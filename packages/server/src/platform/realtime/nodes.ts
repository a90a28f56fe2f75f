import { LiveMessage } from '@bidwell/contract/live';
import { z } from 'zod';

/** What one of our processes tells the others. */
export const NodeMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('publication'), companyId: z.string(), message: LiveMessage }),
  /** Companies whose figures of today moved; whoever has pages of theirs works the figures out. */
  z.object({ kind: z.literal('moved'), companyIds: z.array(z.string()) }),
  /** Sessions that ended: their access tokens no longer count. */
  z.object({ kind: z.literal('ended'), sessionIds: z.array(z.string()) }),
  /** The sender could not be heard for a while. */
  z.object({ kind: z.literal('missed') }),
]);
export type NodeMessage = z.infer<typeof NodeMessage>;

/** The other processes of this installation. */
export interface Nodes {
  /** Tells all the others. Never throws, never waits. */
  tell(message: NodeMessage): void;
  /** Calls `listener` with what the others tell, in each one's order. */
  listen(listener: (message: NodeMessage) => void): void;
  close(): Promise<void>;
}

/** One process is the whole installation. */
export const noOtherNodes: Nodes = {
  tell() {},
  listen() {},
  async close() {},
};
