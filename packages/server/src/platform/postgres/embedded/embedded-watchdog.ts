/** Times of a database that does not answer, ms. */
export interface SilenceTimes {
  /** How often it is looked at. */
  everyMs: number;
  /** Callers that wait for the connection are refused once the running statement is unanswered for so long. */
  refuseMs: number;
  /** Then the running statement itself is given up, like a statement on a server. */
  giveUpMs: number;
}

const TIMES: SilenceTimes = { everyMs: 250, refuseMs: 5000, giveUpMs: 20_000 };

/**
 * The embedded database has not answered for too long. The code is PostgreSQL's for a transaction of which it is not known
 * whether it was committed.
 */
export class EmbeddedPostgresSilent extends Error {
  readonly code = '08007';
  constructor(silentMs: number) {
    super(`The embedded PostgreSQL has not answered for ${Math.floor(silentMs / 1000)} seconds`);
  }
}

/** Measures for how long an embedded database has not answered, and ends what waits for it in vain. */
export class EmbeddedWatchdog {
  readonly #times: SilenceTimes;
  readonly #timer: NodeJS.Timeout;
  #silentMs = 0;
  #running: { giveUp: (error: Error) => void } | null = null;
  #refuse = (_error: Error): void => {};
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

  /** How long the running statement has not been answered, ms; 0 where none runs. */
  silentMs(): number {
    return this.#running ? this.#silentMs : 0;
  }

  /** The reason to refuse callers that would have to wait; null if the database answers. */
  refusal(): EmbeddedPostgresSilent | null {
    const silentMs = this.silentMs();
    return this.#isLimiting && silentMs >= this.#times.refuseMs ? new EmbeddedPostgresSilent(silentMs) : null;
  }

  /** Calls `refuse` while there is a {@link refusal}. */
  onRefusal(refuse: (reason: Error) => void): void {
    this.#refuse = refuse;
  }

  /** Settles as the statement does, or rejects with {@link EmbeddedPostgresSilent} if it is not answered in time. */
  async watch<T>(statement: Promise<T>): Promise<T> {
    this.#silentMs = 0;
    const givenUp = new Promise<never>((_resolve, reject) => (this.#running = { giveUp: reject }));
    const answered = (): void => void (this.#running = null);
    statement.then(answered, answered);
    return Promise.race([statement, givenUp]);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const nowMs = performance.now();
    // Silence is not what passes while this process is paused.
    const passedMs = Math.min(nowMs - this.#lookedAtMs, 2 * this.#times.everyMs);
    this.#lookedAtMs = nowMs;
    if (!this.#running) return;
    this.#silentMs += passedMs;
    const refusal = this.refusal();
    if (refusal) this.#refuse(refusal);
    if (refusal && this.#silentMs >= this.#times.giveUpMs) this.#running.giveUp(refusal);
  }
}
