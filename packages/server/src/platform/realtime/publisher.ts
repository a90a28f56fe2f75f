import type { LiveMessage } from '@bidwell/contract/live/schema';
import type { Server } from 'node:http';

/** Publishes live updates. Never throws or blocks: a lost update costs a refresh. */
export interface Publisher {
  /** Publishes to all users of a company. */
  toCompany(companyId: string, message: LiveMessage): void;
}

/**
 * The open pages that this process can reach: the pages connected to it, or all of them if Centrifugo holds the
 * connections.
 */
export interface Pages extends Publisher {
  /** Whether a page of the company may be open; figures are computed only for such companies. */
  isOpen(companyId: string): boolean;
  /** Closes the connections of sessions that ended. */
  endSessions(sessionIds: readonly string[]): void;
  /** Makes all pages reload their data instead of recovering, after publications may have been missed. */
  startAnew(): void;
  /** Number of open connections of this process. */
  connections(): number;
  /** Handles the websocket upgrades of an HTTP server. */
  attach(server: Server): void;
  close(): Promise<void>;
}

/** Whether a message is added to the history for pages that reconnect. Figures are not: the next ones replace them. */
export const hasHistory = ({ type }: LiveMessage): boolean => type !== 'today';

/** Name of a company's channel, the same in Centrifugo; user channels are `user:UUID`. */
export const companyChannel = (companyId: string): string => `company:${companyId}`;

/** The channels of an access token: its company's and its user's. */
export const channelsOf = ({ companyId, userId }: { companyId: string; userId: string }): string[] => [
  companyChannel(companyId),
  `user:${userId}`,
];
