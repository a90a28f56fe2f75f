import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { bidRequest } from '@bidwell/testing/exchange';

/** What one person of a {@link PersonLoad} saw. */
export interface LoadPerson {
  ifa: string;
  /** Impressions whose notice was acknowledged. */
  shown: number;
}

/** The counts of a load of people. */
export interface PersonCounts {
  requests: number;
  bids: number;
  /** Bids that came after their time limit. */
  late: number;
  /** Requests without a response. */
  failed: number;
}

/** Time limit of each request, ms. */
const TMAX_MS = 250;
/** What a response may take on its way in addition, ms: there are fewer cores than processes. */
const ON_ITS_WAY_MS = 30;
const WON_SHARE = 0.6;
const NOTICE_MS_MAX = 300;
const RETRY_MS = 250;
const RETRIES = 80;
/** A person is replaced by a new one after so many requests. */
const REQUESTS_OF_ONE = 40;
const WATCH_EVERY_MS = 5;

/** Options of {@link PersonLoad}. */
export interface PersonLoadOptions {
  /** The addresses of bid requests of all bidders. */
  urls: readonly string[];
  /** People at once, and the mean time between two requests of one, ms. */
  people: number;
  everyMs: number;
}

/**
 * People who come again, each to any bidder, in an exchange that neither waits for responses nor asks again. Of the bids most win, and their
 * notices are sent until they are acknowledged; the others are reported as lost.
 */
export class PersonLoad {
  readonly #options: PersonLoadOptions;
  readonly #ending = new AbortController();
  readonly #open = new Set<Promise<void>>();
  readonly #acknowledged = new Set<string>();
  readonly #counts: PersonCounts = { requests: 0, bids: 0, late: 0, failed: 0 };
  #seen: LoadPerson[] = [];
  /** The longest that this process was late lately, which is no delay of a bidder, ms. */
  #ownDelayMs = 0;
  /** Grows when all people are replaced. */
  #generation = 0;

  constructor(options: PersonLoadOptions) {
    this.#options = options;
    const watching = setInterval(this.#watch(), WATCH_EVERY_MS);
    this.#ending.signal.addEventListener('abort', () => clearInterval(watching));
    for (let index = 0; index < options.people; index += 1) this.#track(this.#ask());
  }

  /** Ids of the bids whose impression was acknowledged. */
  get acknowledged(): ReadonlySet<string> {
    return this.#acknowledged;
  }

  counts(): PersonCounts {
    return { ...this.#counts };
  }

  /** Replaces all people by new ones. */
  replaceAll(): void {
    this.#generation += 1;
    this.#seen = [];
  }

  /** All people since the last replacement. */
  seen(): readonly LoadPerson[] {
    return this.#seen;
  }

  /** Stops the requests, and resolves when all notices are acknowledged. */
  async stop(): Promise<void> {
    this.#ending.abort();
    while (this.#open.size > 0) await Promise.all(this.#open);
  }

  #track(work: Promise<void>): void {
    this.#open.add(work);
    void work.finally(() => this.#open.delete(work));
  }

  #watch(): () => void {
    let lastMs = performance.now();
    return () => {
      const nowMs = performance.now();
      this.#ownDelayMs = Math.max(nowMs - lastMs - WATCH_EVERY_MS, this.#ownDelayMs * 0.98);
      lastMs = nowMs;
    };
  }

  /** Asks for ads for one person after another. */
  async #ask(): Promise<void> {
    const { urls, everyMs } = this.#options;
    while (!this.#ending.signal.aborted) {
      const generation = this.#generation;
      const person: LoadPerson = { ifa: randomUUID(), shown: 0 };
      this.#seen.push(person);
      for (let request = 0; request < REQUESTS_OF_ONE && generation === this.#generation; request += 1) {
        const url = urls[Math.floor(Math.random() * urls.length)]!;
        this.#track(this.#offer(url, person));
        await wait(-Math.log(1 - Math.random()) * everyMs);
        if (this.#ending.signal.aborted) return;
      }
    }
  }

  async #offer(url: string, person: LoadPerson): Promise<void> {
    const device = { os: 'Android', osv: '14', ifa: person.ifa, geo: { country: 'USA' } };
    const body = JSON.stringify(bidRequest({ tmax: TMAX_MS, device }));
    this.#counts.requests += 1;
    const sentMs = performance.now();
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(60_000),
      });
      const tookMs = performance.now() - sentMs;
      if (response.status !== 200) return void (await response.arrayBuffer());
      const { seatbid } = (await response.json()) as { seatbid: { bid: Bid[] }[] };
      this.#counts.bids += 1;
      if (tookMs > TMAX_MS + ON_ITS_WAY_MS + this.#ownDelayMs) {
        // An exchange ignores it.
        this.#counts.late += 1;
        return;
      }
      await this.#settle(seatbid[0]!.bid[0]!, person);
    } catch {
      this.#counts.failed += 1;
    }
  }

  async #settle({ id, price, burl, lurl }: Bid, person: LoadPerson): Promise<void> {
    await wait(Math.random() * NOTICE_MS_MAX);
    if (Math.random() >= WON_SHARE)
      return void (await acknowledged(lurl.replace('${AUCTION_LOSS}', '102'), 1));
    if (!(await acknowledged(burl.replace('${AUCTION_PRICE}', String(price)), RETRIES))) return;
    this.#acknowledged.add(id);
    person.shown += 1;
  }
}

interface Bid {
  id: string;
  price: number;
  burl: string;
  lurl: string;
}

/** Sends a notice until it is acknowledged; false if it never is. */
async function acknowledged(url: string, times: number): Promise<boolean> {
  for (let time = 0; time < times; time += 1) {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => null);
    await response?.arrayBuffer().catch(() => null);
    if (response?.ok) return true;
    await wait(RETRY_MS);
  }
  return false;
}
