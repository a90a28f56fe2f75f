import type { LiveMessage } from '@bidwell/contract/live';
import type { Server } from 'node:http';

/** Sends live updates to those who may see them. Never throws, never waits: a lost update costs a refresh. */
export interface Publisher {
  /** To everyone of a company. */
  toCompany(companyId: string, message: LiveMessage): void;
}

/** The open pages that this process reaches: those connected to it, or everyone's where Centrifugo holds them. */
export interface Pages extends Publisher {
  /** Whether a page of the company may be open; figures are worked out for those alone. */
  isOpen(companyId: string): boolean;
  /** Closes the connections of sessions that ended. */
  endSessions(sessionIds: readonly string[]): void;
  /** Publications may have been missed: nobody goes on from where they stood, everyone reads anew. */
  startAnew(): void;
  /** Connections that are open here. */
  connections(): number;
  /** Takes the websocket upgrades of an HTTP server. */
  attach(server: Server): void;
  close(): Promise<void>;
}

/** Whether who was away for a moment gets it later. Figures are not kept: the next ones say it all. */
export const isKept = ({ type }: LiveMessage): boolean => type !== 'today';

/** The name of a company's channel; its user channels are `user:UUID`. The same in Centrifugo. */
export const companyChannel = (companyId: string): string => `company:${companyId}`;

/** The channels that an access token opens: its company's and its user's own. */
export const channelsOf = ({ companyId, userId }: { companyId: string; userId: string }): string[] => [
  companyChannel(companyId),
  `user:${userId}`,
];
