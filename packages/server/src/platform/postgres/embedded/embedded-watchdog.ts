/** Times of a database that does not respond, ms. */
export interface SilenceTimes {
  /** Interval between checks. */
  everyMs: number;
  /** Callers that wait for the connection are rejected once the running statement has had no response for this long. */
  rejectMs: number;
  /** Then the running statement itself is given up, like a statement on a server. */
  giveUpMs: number;
}

const TIMES: SilenceTimes = { everyMs: 250, rejectMs: 5000, giveUpMs: 20_000 };

/**
 * The embedded database has not responded for too long. The code is PostgreSQL's for a transaction when it is not known
 * whether it was committed.
 */
export class EmbeddedPostgresSilent extends Error {
  readonly code = '08007';
  constructor(silentMs: number) {
    super(`The embedded PostgreSQL has not answered for ${Math.floor(silentMs / 1000)} seconds`);
  }
}

/** Measures for how long an embedded database has not responded, and ends the statements that wait for it in vain. */
export class EmbeddedWatchdog {
  readonly #times: SilenceTimes;
  readonly #timer: NodeJS.Timeout;
  #silentMs = 0;
  #running: { giveUp: (error: Error) => void } | null = null;
  #reject = (_error: Error): void => {};
  #isLimiting = false;
  #lookedAtMs = performance.now();

  constructor(times = TIMES) {
    this.#times = times;
    this.#timer = setInterval(() => this.#look(), times.everyMs).unref();
  }

  /** From now on nothing waits without end. Before, statements such as migrations may take as long as they need. */
  limit(): void {
    this.#isLimiting = true;
  }

  /** How long the running statement has had no response, ms; 0 where none runs. */
  silentMs(): number {
    return this.#running ? this.#silentMs : 0;
  }

  /** The reason to reject callers that would have to wait; null if the database responds. */
  refusal(): EmbeddedPostgresSilent | null {
    const silentMs = this.silentMs();
    return this.#isLimiting && silentMs >= this.#times.rejectMs ? new EmbeddedPostgresSilent(silentMs) : null;
  }

  /** Calls `reject` while there is a {@link refusal}. */
  onRefusal(reject: (reason: Error) => void): void {
    this.#reject = reject;
  }

  /** Settles as the statement does, or rejects with {@link EmbeddedPostgresSilent} if it gets no response in time. */
  async watch<T>(statement: Promise<T>): Promise<T> {
    this.#silentMs = 0;
    const givenUp = new Promise<never>((_resolve, reject) => (this.#running = { giveUp: reject }));
    const settled = (): void => void (this.#running = null);
    statement.then(settled, settled);
    return Promise.race([statement, givenUp]);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const nowMs = performance.now();
    // Time while this process is paused does not count as silence.
    const passedMs = Math.min(nowMs - this.#lookedAtMs, 2 * this.#times.everyMs);
    this.#lookedAtMs = nowMs;
    if (!this.#running) return;
    this.#silentMs += passedMs;
    const refusal = this.refusal();
    if (refusal) this.#reject(refusal);
    if (refusal && this.#silentMs >= this.#times.giveUpMs) this.#running.giveUp(refusal);
  }
}
