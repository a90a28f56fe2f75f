import pg from 'pg';

/** Times of {@link watchForSilence}, in ms. */
export interface SilenceLimits {
  /** How often waiting statements are looked at. */
  everyMs: number;
  /** How long a statement waits before the server is queried about it. */
  waitMs: number;
  /** How long the server must have been done with it, longer than a response takes. */
  doneMs: number;
}

const LIMITS: SilenceLimits = { everyMs: 1000, waitMs: 2500, doneMs: 1000 };
const CHECK_MS = 2000;

/** Statements that wait for a response. */
export interface SilenceWatch {
  /** To be called when a statement is sent; returns the function to call at its response. */
  sent(client: pg.ClientBase): () => void;
  stop(): void;
}

interface Waiting {
  client: pg.ClientBase;
  sinceMs: number;
  /** When the server is queried about it. */
  dueMs: number;
}

/**
 * Finds connections that were cut without notice, long before the time limit of their statements: queries the server, on a new
 * connection, which of the backends that owe a response do nothing, and calls `lost` with their clients. Behind PgBouncer
 * the backends are unknown, so that nothing is found there.
 */
export function watchForSilence(
  options: pg.ClientConfig,
  lost: (client: pg.ClientBase) => void,
  limits: SilenceLimits = LIMITS,
): SilenceWatch {
  const waiting = new Set<Waiting>();
  let isChecking = false;

  async function check(): Promise<void> {
    const nowMs = performance.now();
    const late = [...waiting].filter(({ dueMs }) => dueMs < nowMs);
    if (late.length === 0) return;
    const idle = await idleBackends(
      options,
      late.map(({ client }) => backendOf(client)),
      limits.doneMs,
    );
    for (const one of late) {
      // A statement that is only slow is checked again when it has waited twice as long.
      one.dueMs = nowMs + (nowMs - one.sinceMs);
      if (waiting.has(one) && idle.has(backendOf(one.client))) lost(one.client);
    }
  }

  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    // While the server is unavailable, nothing is known about a statement; its own time limit applies.
    void check()
      .catch(() => {})
      .finally(() => (isChecking = false));
  }, limits.everyMs);
  timer.unref();
  return {
    sent(client) {
      const sinceMs = performance.now();
      const one = { client, sinceMs, dueMs: sinceMs + limits.waitMs };
      waiting.add(one);
      return () => void waiting.delete(one);
    },
    stop: () => clearInterval(timer),
  };
}

/** Which of the backends have been waiting for a statement for at least `doneMs`. */
async function idleBackends(
  options: pg.ClientConfig,
  backends: readonly number[],
  doneMs: number,
): Promise<ReadonlySet<number>> {
  const client = new pg.Client({ ...options, connectionTimeoutMillis: CHECK_MS, query_timeout: CHECK_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where pid = any($1::int[]) and application_name = $2 and state like 'idle%'
       and state_change < clock_timestamp() - $3 * interval '1 millisecond'`,
      [backends, options.application_name, doneMs],
    );
    return new Set(rows.map(({ pid }) => pid));
  } finally {
    await client.end().catch(() => {});
  }
}

/** Process id of a connection's backend, which the client's type does not expose. */
function backendOf(client: pg.ClientBase): number {
  return (client as unknown as { processID: number }).processID;
}
