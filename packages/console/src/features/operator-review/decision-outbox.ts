import {
  DECISIONS_MAX,
  type DecisionResults,
  type Decisions,
  type ModerationItem,
} from '@bidwell/contract/moderation/schema';

/** Time in which a decision can be undone, in milliseconds: it is sent afterwards. */
export const UNDO_MS = 10_000;
/** Decided items that are remembered, so that a response from before the decision does not show them again. */
const SETTLED_MAX = 2000;

/** A decision on items. */
export type Verdict = Pick<Decisions, 'status' | 'reason' | 'withdraw'>;

/** One decision on one or more items, not yet carried out. */
export interface PendingDecision {
  id: number;
  verdict: Verdict;
  items: readonly ModerationItem[];
  /** When it is sent, in milliseconds of the clock. */
  dueMs: number;
  state: 'waiting' | 'sending' | 'failed';
  /** Why it could not be sent; empty unless failed. */
  error: string;
}

interface Deps {
  send: (decisions: Decisions) => Promise<DecisionResults>;
  /** Called with the outcome of the items that were sent. */
  onSent: (decided: readonly ModerationItem[], others: readonly ModerationItem[]) => void;
  errorText: (error: unknown) => string;
}

/**
 * Decisions between the key press and the server: each waits for ten seconds, in which it can be undone, and is then sent.
 * {@link flush} sends at once what waits, when the page is left. What could not be sent stays, to be sent again or put
 * back.
 */
export class DecisionOutbox {
  readonly #deps: Deps;
  #pending: readonly PendingDecision[] = [];
  readonly #settled = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastId = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Decisions that are not carried out, oldest first. A new array after each change. */
  readonly pending = (): readonly PendingDecision[] => this.#pending;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Whether the item still waits for a decision. */
  isOpen({ uuid, since }: ModerationItem): boolean {
    return (
      this.#settled.get(uuid) !== since &&
      !this.#pending.some(({ items }) => items.some((item) => item.uuid === uuid))
    );
  }

  /** Adds a decision on items. */
  add(verdict: Verdict, items: readonly ModerationItem[]): void {
    if (items.length === 0) return;
    this.#lastId += 1;
    const dueMs = Date.now() + UNDO_MS;
    this.#change([
      ...this.#pending,
      { id: this.#lastId, verdict, items, dueMs, state: 'waiting', error: '' },
    ]);
  }

  /** Takes the latest decision back that was not sent yet; resolves to its items. */
  undo(): readonly ModerationItem[] {
    const last = this.#pending.findLast(({ state }) => state === 'waiting');
    if (!last) return [];
    this.#change(this.#pending.filter((decision) => decision !== last));
    return last.items;
  }

  /** Sends at once what waits. Resolves when it is sent, or has failed. */
  async flush(): Promise<void> {
    await this.#send(this.#pending.filter(({ state }) => state === 'waiting'));
  }

  /** Sends again what failed. */
  async retry(): Promise<void> {
    await this.#send(this.#pending.filter(({ state }) => state === 'failed'));
  }

  /** Puts the items of failed decisions back into the queue. */
  putBack(): void {
    this.#change(this.#pending.filter(({ state }) => state !== 'failed'));
  }

  async #send(decisions: readonly PendingDecision[]): Promise<void> {
    this.#change(
      this.#pending.map((decision) =>
        decisions.includes(decision) ? { ...decision, state: 'sending', error: '' } : decision,
      ),
    );
    await Promise.all(sameVerdicts(decisions).map(async (same) => this.#sendSame(same)));
  }

  async #sendSame(decisions: readonly PendingDecision[]): Promise<void> {
    const ids = new Set(decisions.map(({ id }) => id));
    const items = decisions.flatMap((decision) => decision.items);
    const { verdict } = decisions[0]!;
    try {
      const decided = new Set<string>();
      for (let from = 0; from < items.length; from += DECISIONS_MAX) {
        const part = items.slice(from, from + DECISIONS_MAX);
        const { results } = await this.#deps.send({
          ...verdict,
          items: part.map(({ entity, uuid, since }) => ({ entity, uuid, since })),
        });
        for (const { uuid, outcome } of results) if (outcome === 'decided') decided.add(uuid);
      }
      const isDecided = ({ uuid }: ModerationItem) => decided.has(uuid);
      this.#settle(items.filter(isDecided));
      this.#deps.onSent(
        items.filter(isDecided),
        items.filter((item) => !isDecided(item)),
      );
      this.#change(this.#pending.filter(({ id }) => !ids.has(id)));
    } catch (error) {
      const text = this.#deps.errorText(error);
      this.#change(
        this.#pending.map((decision) =>
          ids.has(decision.id) ? { ...decision, state: 'failed', error: text } : decision,
        ),
      );
    }
  }

  #settle(items: readonly ModerationItem[]): void {
    for (const { uuid, since } of items) this.#settled.set(uuid, since);
    for (const uuid of this.#settled.keys()) {
      if (this.#settled.size <= SETTLED_MAX) return;
      this.#settled.delete(uuid);
    }
  }

  #change(pending: readonly PendingDecision[]): void {
    this.#pending = pending;
    clearTimeout(this.#timer);
    const dueMs = Math.min(...pending.flatMap(({ state, dueMs: due }) => (state === 'waiting' ? due : [])));
    if (Number.isFinite(dueMs))
      this.#timer = setTimeout(() => this.#sendDue(), Math.max(0, dueMs - Date.now()));
    for (const listener of this.#listeners) listener();
  }

  #sendDue(): void {
    const nowMs = Date.now();
    void this.#send(this.#pending.filter(({ state, dueMs }) => state === 'waiting' && dueMs <= nowMs));
  }
}

/** Groups decisions that say the same, so that each group is one request. */
function sameVerdicts(decisions: readonly PendingDecision[]): PendingDecision[][] {
  const groups = new Map<string, PendingDecision[]>();
  for (const decision of decisions) {
    const { status, reason, withdraw } = decision.verdict;
    const key = JSON.stringify([status, reason, withdraw]);
    groups.set(key, [...(groups.get(key) ?? []), decision]);
  }
  return [...groups.values()];
}
