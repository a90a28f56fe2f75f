/** Sends live updates to those who may see them. Never throws, never waits: a lost update costs a refresh. */
export interface Publisher {
  /** To everyone of a company. */
  toCompany(companyId: string, message: LiveMessage): void;
}

/** What goes over the websocket. */
export type LiveMessage =
  | { type: 'entity'; entity: string; uuid: string; action: string }
  | { type: 'notification'; uuid: string; title: string; text: string }
  | { type: 'totals' };
