import type { MessageLane } from '../../platform/postgres/message-table.ts';

/** How many messages of a lane are under way at once. */
export interface LaneLimits {
  /**
   * In one process: places for messages that are tried for the first time, and for messages that are tried again or whose queue has one that
   * is. Receivers that fail so take no place of the others.
   */
  places: { first: number; again: number };
  /** For one company, in places of either kind. Of the places for further tries it has at most half. */
  perCompany: number;
  /** To one host, in places of either kind. */
  perHost: number;
  /** For one company to one host, in places of either kind. */
  perCompanyAtHost: number;
  /** After this time another process takes over the messages of a killed one. A process renews the claims of what it still sends. */
  claimMs: number;
}

/**
 * The lanes by urgency; no lane waits for another one. A person waits for `awaited` mails, such as a link for a password. Alerts and
 * invoices have to arrive today: mails and posts each have a lane, so that a slow mail server delays no webhook. `bulk` has what may take long:
 * scheduled reports, exports, costs for partners, creatives for review. `perCompanyAtHost` is at most half of `perHost`, rounded up. It has to
 * be as many as `perCompany` where the messages of a company go to one host: the mails of a person have one domain, and their link must not wait
 * for the mail before it. In `bulk` it is less, also of further tries: an export of hours leaves a place to the other messages of its company.
 */
export const LANES: Readonly<Record<MessageLane, LaneLimits>> = {
  awaited: {
    places: { first: 6, again: 2 },
    perCompany: 2,
    perHost: 3,
    perCompanyAtHost: 2,
    claimMs: 20_000,
  },
  today_mail: {
    places: { first: 4, again: 2 },
    perCompany: 1,
    perHost: 2,
    perCompanyAtHost: 1,
    claimMs: 20_000,
  },
  today_post: {
    places: { first: 24, again: 8 },
    perCompany: 12,
    perHost: 12,
    perCompanyAtHost: 6,
    claimMs: 20_000,
  },
  bulk: {
    places: { first: 4, again: 4 },
    perCompany: 2,
    perHost: Infinity,
    perCompanyAtHost: 1,
    claimMs: 2 * 60_000,
  },
};

/** The fields of a message that the choice of the next messages uses. */
export interface Claimable {
  uuid: string;
  /** The company; without one the person; without either the message itself. */
  owner: string;
  queue: string;
  host: string;
  /** Whether it, or another one of its queue, was tried before. */
  isAgain: boolean;
}

/** The limits of a choice. */
export interface Choice {
  limits: Pick<LaneLimits, 'perCompany' | 'perHost' | 'perCompanyAtHost'> & {
    /** For one company, in places for further tries. */
    perCompanyAgain: number;
  };
  /** Free places of this process. */
  free: LaneLimits['places'];
  /** Messages of the lane that are being sent, in this process or another one. */
  busy: readonly Claimable[];
  /** When a message of an owner was last chosen, as a number that grows; undefined for an owner that waits since before all others. */
  servedAt: (owner: string) => number | undefined;
}

/**
 * The messages of a lane that are sent next, of `due`, which is in the order of their times. Owners take turns, first the one that was served
 * longest ago, regardless of how many messages each has. No place stays free that a message may take. Pure.
 */
export function chooseNext(due: readonly Claimable[], choice: Choice): Claimable[] {
  const { limits, free, busy, servedAt } = choice;
  const queues = new Set(busy.map(({ queue }) => queue));
  const hosts = countsOf(busy, ({ host }) => host);
  const owners = countsOf(busy, ({ owner }) => owner);
  const again = countsOf(
    busy.filter(({ isAgain }) => isAgain),
    ({ owner }) => owner,
  );
  const ownersAtHost = countsOf(busy, atHost);
  const left = { ...free };
  const mayGo = ({ owner, queue, host, isAgain }: Claimable): boolean =>
    left[isAgain ? 'again' : 'first'] > 0 &&
    !queues.has(queue) &&
    (hosts.get(host) ?? 0) < limits.perHost &&
    (ownersAtHost.get(atHost({ owner, host })) ?? 0) < limits.perCompanyAtHost &&
    (owners.get(owner) ?? 0) < limits.perCompany &&
    (!isAgain || (again.get(owner) ?? 0) < limits.perCompanyAgain);

  const waiting = new Map<string, Claimable[]>();
  for (const message of due) {
    const own = waiting.get(message.owner);
    if (own) own.push(message);
    else waiting.set(message.owner, [message]);
  }
  const turns = [...waiting.keys()].toSorted(
    (one, other) => (servedAt(one) ?? -Infinity) - (servedAt(other) ?? -Infinity) || 0,
  );
  const chosen: Claimable[] = [];
  for (let before = -1; chosen.length > before;) {
    before = chosen.length;
    for (const owner of turns) {
      const own = waiting.get(owner)!;
      const at = own.findIndex(mayGo);
      const [message] = at < 0 ? [] : own.splice(at, 1);
      if (!message) continue;
      chosen.push(message);
      left[message.isAgain ? 'again' : 'first'] -= 1;
      queues.add(message.queue);
      hosts.set(message.host, (hosts.get(message.host) ?? 0) + 1);
      owners.set(owner, (owners.get(owner) ?? 0) + 1);
      ownersAtHost.set(atHost(message), (ownersAtHost.get(atHost(message)) ?? 0) + 1);
      if (message.isAgain) again.set(owner, (again.get(owner) ?? 0) + 1);
    }
  }
  return chosen;
}

const atHost = ({ owner, host }: Pick<Claimable, 'owner' | 'host'>): string => `${owner} ${host}`;

function countsOf(
  messages: readonly Claimable[],
  keyOf: (message: Claimable) => string,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const message of messages) counts.set(keyOf(message), (counts.get(keyOf(message)) ?? 0) + 1);
  return counts;
}
