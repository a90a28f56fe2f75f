import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { pathOf, sampleRef } from '@bidwell/server/delivery/trackers/sample-ref';
import type { BidRef } from '@bidwell/server/delivery/model/event';
import { createSigner } from '@bidwell/server/delivery/trackers/signer';
import { addToSum } from '@bidwell/server/platform/group-by';
import { SIGNING_SECRET } from './server-process.ts';

/** Requests at once of a load, by default. */
const SENDERS = 12;
/** One in this number of notices is sent twice. */
const TWICE_EVERY = 7;

/** A notice or impression that an exchange or a device sends, or a postback of a measurement partner. */
export interface Notice {
  bidId: string;
  kind: 'impression' | 'win' | 'billing' | 'install' | 'app_event';
  path: string;
  /** The amount that it must charge. */
  spendMicros: number;
  /** The notices to send once this one is acknowledged. */
  next?: readonly Notice[];
  /** The in-app event that a postback reports. */
  event?: SentEvent;
}

/** An in-app event that postbacks report. */
export interface SentEvent {
  /** The bid of its click or impression. */
  bidId: string;
  name: string;
  /** Unix ms, whole seconds. */
  atMs: number;
  /** The revenue in micros of its postbacks. The first postback that is decided counts. */
  amounts: readonly number[];
}

/** What identifies an event of a load: its bid, name and time. */
export const eventKey = ({ bidId, name, atMs }: Pick<SentEvent, 'bidId' | 'name' | 'atMs'>): string =>
  `${bidId} ${name} ${atMs}`;

/** Bids of a company whose impressions are followed by postbacks: one in `every`. */
export interface Postbacks {
  companyId: string;
  every: number;
  of(ref: BidRef, index: number): readonly Notice[];
}

/**
 * Win notice, billing notice (which is charged) and impression of each bid. The bids take their ages from `agesMs` in turn; `over`
 * says whose they are, and `postbacks` what follows.
 */
export function noticesOf(
  bids: number,
  agesMs: readonly number[] = [0],
  over: Partial<BidRef> = {},
  postbacks?: Postbacks,
): Notice[] {
  const signer = createSigner(SIGNING_SECRET, 'http://localhost');
  return Array.from({ length: bids }, (_, index) => {
    const followed = postbacks && index % postbacks.every === 0 ? postbacks : null;
    const whose = followed ? { ...over, companyId: followed.companyId } : over;
    const ref = sampleRef(whose, Date.now() - agesMs[index % agesMs.length]!);
    const urls = signer.urlsFor(ref);
    const cpmMicros = 1_000_000 + (index % 2000) * 1000;
    const at = (kind: 'impression' | 'win' | 'billing', spendMicros: number): Notice => ({
      bidId: ref.bidId,
      kind,
      path: pathOf(urls[kind], String(cpmMicros / 1_000_000)),
      spendMicros,
    });
    const impression = { ...at('impression', 0), ...(followed && { next: followed.of(ref, index) }) };
    return [at('win', 0), at('billing', Math.min(cpmMicros, ref.bidCpmMicros) / 1000), impression];
  }).flat();
}

/** Counts of the responses to a load. */
export interface LoadAnswers {
  /** Number of responses by status. */
  statuses: Map<number, number>;
  /** Notices whose connection broke. */
  broken: number;
}

/** Sends notices, records which were acknowledged, and resends the others. */
export class NoticeLoad {
  /** All but postbacks of in-app events. */
  readonly acknowledged = new Map<string, Notice>();
  /** A postback of each in-app event that was acknowledged, by {@link eventKey}. */
  readonly appEvents = new Map<string, Notice>();
  #waiting: Notice[] = [];
  readonly #senders: number;

  /** Sends this many at once: a postback waits for its decision, so a load with many of them needs more. */
  constructor(senders = SENDERS) {
    this.#senders = senders;
  }

  /** Number of notices that are not acknowledged yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Adds notices, each once. */
  queue(notices: readonly Notice[]): void {
    this.#waiting.push(...notices);
  }

  /** Adds notices, some of them twice. */
  add(notices: readonly Notice[]): void {
    for (const [index, notice] of notices.entries()) {
      this.#waiting.push(notice);
      if (index % TWICE_EVERY === 0) this.#waiting.push(notice);
    }
  }

  /** Takes over what another load has sent and not sent. */
  adopt(other: NoticeLoad): void {
    for (const [key, notice] of other.acknowledged) this.acknowledged.set(key, notice);
    for (const [key, notice] of other.appEvents) this.appEvents.set(key, notice);
    this.#waiting.push(...other.#waiting);
  }

  /** Queues acknowledged notices again, like exchanges that did not receive the response. */
  repeat(count: number): void {
    this.#waiting.push(...[...this.acknowledged.values()].slice(-count));
    this.#waiting.push(...[...this.appEvents.values()].slice(-count / 10));
  }

  /**
   * Sends the queued notices until none are left or `goOn` returns false; it is called before each notice with the number
   * of responses. Notices that are answered with 503 or cut off stay queued for the next call.
   */
  async send(port: number, goOn: (answered: number) => boolean = () => true): Promise<LoadAnswers> {
    const dispatcher = new Agent({ connections: this.#senders });
    const queue = this.#waiting;
    this.#waiting = [];
    const answers: LoadAnswers = { statuses: new Map(), broken: 0 };
    let answered = 0;
    let next = 0;
    let open = 0;
    const sender = async (): Promise<void> => {
      while ((next < queue.length || open > 0) && goOn(answered)) {
        if (next >= queue.length) {
          // A request that is not answered yet may be followed by another.
          await wait(10);
          continue;
        }
        const notice = queue[next]!;
        next += 1;
        open += 1;
        try {
          const { statusCode, body } = await request(`http://127.0.0.1:${port}${notice.path}`, {
            dispatcher,
          });
          if (statusCode === 200) queue.splice(next, 0, ...this.#acknowledge(notice));
          else this.#waiting.push(notice);
          addToSum(answers.statuses, statusCode, 1);
          await body.dump();
        } catch {
          answers.broken += 1;
          this.#waiting.push(notice);
          await wait(10);
        }
        open -= 1;
        answered += 1;
      }
    };
    await Promise.all(Array.from({ length: this.#senders }, sender));
    // Not spread into arguments: after many kills there are more than the stack takes.
    this.#waiting = this.#waiting.concat(queue.slice(next));
    await dispatcher.destroy();
    return answers;
  }

  /** Notes that a notice was acknowledged; returns what follows the first time. */
  #acknowledge(notice: Notice): readonly Notice[] {
    const { bidId, kind, event, next } = notice;
    const known = event ? this.appEvents : this.acknowledged;
    const key = event ? eventKey(event) : `${bidId} ${kind}`;
    const isFirst = !known.has(key);
    known.set(key, notice);
    return isFirst && next ? next : [];
  }

  /** Sends until everything is acknowledged. Throws if nothing is acknowledged for `silenceMs`. */
  async sendAll(port: number, silenceMs = 180_000): Promise<void> {
    let known = -1;
    let endMs = 0;
    const goesOn = (): boolean => {
      if (this.acknowledged.size + this.appEvents.size > known) {
        known = this.acknowledged.size + this.appEvents.size;
        endMs = performance.now() + silenceMs;
      }
      return performance.now() < endMs;
    };
    while (this.#waiting.length > 0) {
      await this.send(port, goesOn);
      if (!goesOn()) throw new Error(`${this.#waiting.length} notices found no answer.`);
    }
  }
}
