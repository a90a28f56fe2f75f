import type { KeyObject } from 'node:crypto';
import type { ScheduledPostback } from './scheduled-postbacks.ts';
import { signedPostback } from './signed-postback.ts';

const DAY_MS = 86_400_000;
/** A device tries this many times more, within nine days. */
const RETRIES = 9;

/** Sends a postback, and resolves to the status of the response. */
export type SendPostback = (body: Record<string, unknown>) => Promise<number>;

/** A postback that waits for its time. */
interface Waiting {
  atMs: number;
  triesLeft: number;
  postback: ScheduledPostback;
  body: Record<string, unknown>;
}

/** The postbacks of some devices, which are sent at their times and again where the response is not 200. */
export class PostbackOutbox {
  readonly #key: KeyObject;
  #waiting: Waiting[] = [];
  /** The postbacks with the response 200. */
  readonly delivered: ScheduledPostback[] = [];
  /** Those that were refused ten times. */
  readonly givenUp: ScheduledPostback[] = [];

  /** `key` signs in the place of Apple's. */
  constructor(key: KeyObject) {
    this.#key = key;
  }

  add(postbacks: readonly ScheduledPostback[]): void {
    for (const postback of postbacks)
      this.#waiting.push({
        atMs: postback.atMs,
        triesLeft: RETRIES + 1,
        postback,
        body: signedPostback(postback, this.#key),
      });
  }

  /** When the next postback is due, Unix ms; null for none. */
  nextMs(): number | null {
    return this.#waiting.reduce<number | null>(
      (next, { atMs }) => (next === null ? atMs : Math.min(next, atMs)),
      null,
    );
  }

  /** Sends the postbacks that are due until an instant, one after another. */
  async sendDue(nowMs: number, send: SendPostback): Promise<void> {
    const due = this.#waiting.filter(({ atMs }) => atMs <= nowMs);
    this.#waiting = this.#waiting.filter(({ atMs }) => atMs > nowMs);
    for (const one of due) {
      const status = await send(one.body);
      if (status === 200) this.delivered.push(one.postback);
      else if (one.triesLeft <= 1) this.givenUp.push(one.postback);
      else this.#waiting.push({ ...one, atMs: nowMs + DAY_MS, triesLeft: one.triesLeft - 1 });
    }
  }
}
