import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { pathOf, sampleRef } from '@bidwell/server/delivery/trackers/sample-ref';
import type { BidRef } from '@bidwell/server/delivery/model/event';
import { createSigner } from '@bidwell/server/delivery/trackers/signing';
import { addToSum } from '@bidwell/server/platform/group-by';
import { SIGNING_SECRET } from './server-process.ts';

const SENDERS = 12;
/** One in this number of notices is sent twice. */
const TWICE_EVERY = 7;

/** A notice or impression that an exchange or a device sends. */
export interface Notice {
  bidId: string;
  kind: 'impression' | 'win' | 'billing';
  path: string;
  /** The amount that it must charge. */
  spendMicros: number;
}

/** Win notice, billing notice (which is charged) and impression of each bid. The bids take their ages from `agesMs` in turn; `over` says whose they are. */
export function noticesOf(
  bids: number,
  agesMs: readonly number[] = [0],
  over: Partial<BidRef> = {},
): Notice[] {
  const signer = createSigner(SIGNING_SECRET, 'http://localhost');
  return Array.from({ length: bids }, (_, index) => {
    const ref = sampleRef(over, Date.now() - agesMs[index % agesMs.length]!);
    const urls = signer.urlsFor(ref);
    const cpmMicros = 1_000_000 + (index % 2000) * 1000;
    const at = (kind: Notice['kind'], spendMicros: number): Notice => ({
      bidId: ref.bidId,
      kind,
      path: pathOf(urls[kind], String(cpmMicros / 1_000_000)),
      spendMicros,
    });
    return [at('win', 0), at('billing', Math.min(cpmMicros, ref.bidCpmMicros) / 1000), at('impression', 0)];
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
  readonly acknowledged = new Map<string, Notice>();
  #waiting: Notice[] = [];

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
    this.#waiting.push(...other.#waiting);
  }

  /** Queues acknowledged notices again, like exchanges that did not receive the response. */
  repeat(count: number): void {
    this.#waiting.push(...[...this.acknowledged.values()].slice(-count));
  }

  /**
   * Sends the queued notices until none are left or `goOn` returns false; it is called before each notice with the number
   * of responses. Notices that are answered with 503 or cut off stay queued for the next call.
   */
  async send(port: number, goOn: (answered: number) => boolean = () => true): Promise<LoadAnswers> {
    const dispatcher = new Agent({ connections: SENDERS });
    const queue = this.#waiting;
    this.#waiting = [];
    const answers: LoadAnswers = { statuses: new Map(), broken: 0 };
    let answered = 0;
    let next = 0;
    const sender = async (): Promise<void> => {
      while (next < queue.length && goOn(answered)) {
        const notice = queue[next]!;
        next += 1;
        try {
          const { statusCode, body } = await request(`http://127.0.0.1:${port}${notice.path}`, {
            dispatcher,
          });
          if (statusCode === 200) this.acknowledged.set(`${notice.bidId} ${notice.kind}`, notice);
          else this.#waiting.push(notice);
          addToSum(answers.statuses, statusCode, 1);
          await body.dump();
        } catch {
          answers.broken += 1;
          this.#waiting.push(notice);
          await wait(10);
        }
        answered += 1;
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    // Not spread into arguments: after many kills there are more than the stack takes.
    this.#waiting = this.#waiting.concat(queue.slice(next));
    await dispatcher.destroy();
    return answers;
  }

  /** Sends until everything is acknowledged. Throws if nothing is acknowledged for `silenceMs`. */
  async sendAll(port: number, silenceMs = 180_000): Promise<void> {
    let known = -1;
    let endMs = 0;
    const goesOn = (): boolean => {
      if (this.acknowledged.size > known) {
        known = this.acknowledged.size;
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
