import type { Role } from '../config/environment.ts';
import {
  type ClosedIntake,
  type Delivery,
  type Ingest,
  type IntakeError,
  LAG_MS_MAX,
  type RunningCounter,
} from '../delivery/public.ts';
import type { Context } from '../context.ts';
import type { Readiness } from '../platform/http/health.ts';
import type { Bus } from '../platform/nats/bus.ts';
import { isWritable } from '../platform/postgres/client.ts';
import type { EmbeddedWatchdog } from '../platform/postgres/embedded/embedded-watchdog.ts';
import type { Replica } from '../platform/postgres/replica.ts';
import type { Startup, Step } from '../platform/startup.ts';
import { inTime } from '../platform/concurrency/time-limits.ts';

/** Dependencies of {@link createReadiness}. */
export interface ReadinessDeps {
  ctx: Context;
  delivery: Delivery;
  /** The counter of this process; null where the tracker counts its own log. */
  counter: RunningCounter | null;
  /** The connection to NATS; null without NATS_URL. */
  nats: Pick<Bus, 'isUp'> | null;
  startup: Startup;
  /** Migrations of PostgreSQL and of ClickHouse; done once the tables match this version. */
  postgres: Step;
  clickhouse: Step;
  /** Whether the embedded PostgreSQL responds; null where PostgreSQL is a server. */
  watchdog: Pick<EmbeddedWatchdog, 'refusal'> | null;
  /** The event log. */
  ingest: Pick<Ingest, 'canWrite' | 'fault'>;
  /** True once the process was told to stop. */
  isStopping: () => boolean;
}

/** Whether the databases respond. */
interface EngineStates {
  postgres: boolean;
  isReadOnly: boolean;
  clickhouse: boolean;
  /** Why ClickHouse is not available, in a sentence; null if it is. */
  clickhouseFault: string | null;
}

const NO_CLICKHOUSE = 'ClickHouse is unavailable: reports fail, and events wait in the event log.';

/**
 * Returns a function that determines whether each role of this process can work: a bidder needs its snapshot and a fresh
 * lease, a tracker a writable event log, a counter the event stream and PostgreSQL, the API and the jobs PostgreSQL. No role
 * needs ClickHouse: without it events wait in the event log and reports fail.
 */
export function createReadiness(deps: ReadinessDeps): () => Promise<Readiness> {
  const { ctx } = deps;
  let isReadOnly = false;
  const { watchdog } = deps;
  const postgres = watchdog
    ? async () => deps.postgres.isDone() && watchdog.refusal() === null
    : engineProbe(deps.postgres, async () => {
        isReadOnly = !(await isWritable(ctx.db));
      });
  let clickhouseFault: string | null = null;
  const clickhouse = engineProbe(deps.clickhouse, async () => {
    clickhouseFault = await ctx.clickhouse.fault();
    if (!(await ctx.clickhouse.ping())) throw new Error('no answer');
  });
  return async () => {
    const [hasPostgres, hasClickhouse, canWrite] = await Promise.all([
      postgres(),
      clickhouse(),
      ctx.config.roles.has('tracker') ? deps.ingest.canWrite() : true,
    ]);
    const states = {
      postgres: hasPostgres,
      isReadOnly: hasPostgres && isReadOnly,
      clickhouse: hasClickhouse,
      clickhouseFault: hasClickhouse ? null : (clickhouseFault ?? NO_CLICKHOUSE),
    };
    return readinessOf(deps, states, canWrite);
  };
}

function readinessOf(
  deps: ReadinessDeps,
  { postgres, isReadOnly, clickhouse, clickhouseFault }: EngineStates,
  log: boolean,
): Readiness {
  const { ctx, delivery, startup } = deps;
  const { roles } = ctx.config;
  const silence = deps.watchdog?.refusal() ?? null;
  const postgresFault = silence ? `${silence.message}.` : 'PostgreSQL does not answer.';
  const { source, version, confirmedAtMs } = delivery.snapshot.origin();
  const state: Record<Role, true | string> = {
    bidder: bidderState(source !== 'none', delivery.hasFreshLease()),
    tracker: log || 'The event log cannot be written.',
    counter: deps.counter ? counterState(deps.counter) : true,
    api: postgres || postgresFault,
    jobs: postgres || postgresFault,
  };
  const fault = deps.ingest.fault();
  const filesFault = ctx.files.fault();
  const stopping = deps.isStopping() ? 'The server is stopping.' : null;
  const degraded = [
    ...(postgres
      ? []
      : ['PostgreSQL is unavailable: nothing can be changed, and bidding stops after ten seconds.']),
    ...(isReadOnly
      ? [
          'PostgreSQL is read-only, as a standby is: nothing can be changed, and bidding stops after ten seconds.',
        ]
      : []),
    ...(clickhouseFault === null ? [] : [clickhouseFault]),
    ...(source === 'disk' ? ['Bids are made from the snapshot on disk, which may be out of date.'] : []),
    ...natsFault(deps.nats, roles),
    ...countingFault(delivery.countingLagMs()),
    ...shedFault(delivery.shedPercent()),
    ...delivery.frequencyFaults(),
    ...(replicaFault(ctx.replica) ?? []),
    ...(fault ? [FAULTS[fault]] : closedIntakeFault(delivery.closedIntake())),
    ...(filesFault ? [filesFault] : []),
    ...(deps.counter?.state()?.owned.some(({ isBlocked }) => isBlocked)
      ? ['A later release wrote events that this process cannot count: update all counters.']
      : []),
    ...startup.waiting().map((name) => `Startup step not completed: ${name}.`),
  ];
  return {
    roles: Object.fromEntries([...roles].map((role) => [role, stopping ?? state[role]])),
    postgres,
    clickhouse,
    degraded,
    ...(roles.has('bidder') && {
      snapshot: {
        source,
        version,
        age_seconds: source === 'none' ? null : Math.max(0, Math.round((Date.now() - confirmedAtMs) / 1000)),
      },
    }),
  };
}

/** A replica that is further behind is reported. */
const REPLICA_LAG_MAX_SECONDS = 30;

function replicaFault(replica: Replica | null): string[] | null {
  if (!replica) return null;
  const { isUp, lagSeconds } = replica.state();
  if (!isUp) return ['The read replica of PostgreSQL does not answer: lists are read from the primary.'];
  if ((lagSeconds ?? 0) < REPLICA_LAG_MAX_SECONDS) return null;
  return [`The read replica of PostgreSQL is ${Math.round(lagSeconds!)} seconds behind.`];
}

/** Without NATS no event goes from a log to a counter, and no live update to another process; bidders and jobs work as before. */
function natsFault(nats: Pick<Bus, 'isUp'> | null, roles: ReadonlySet<Role>): string[] {
  if (!nats || nats.isUp() || !(['api', 'tracker', 'counter'] as const).some((role) => roles.has(role)))
    return [];
  return [
    'NATS is unavailable: events wait in the event logs of trackers, and live updates reach only the pages of their own process.',
  ];
}

/** Counting that is further behind is reported: longer than a tracker that was killed is waited for. */
const COUNTING_LAG_MAX_MS = 90_000;

function countingFault(lagMs: number | null): string[] {
  if (lagMs === null || lagMs <= COUNTING_LAG_MAX_MS) return [];
  return [
    lagMs < LAG_MS_MAX
      ? `Notices of the last ${Math.round(lagMs / 60_000)} minutes are not counted yet: the money of their bids stays reserved.`
      : 'It is not known which notices of the last hour are counted: the money of their bids stays reserved.',
  ];
}

function shedFault(percent: number | null): string[] {
  if (percent === null) return [];
  return [
    `${Math.round(percent)}% of the bid requests of the last minute were shed, since they could not be answered in time: add a bidder.`,
  ];
}

const FAULTS: Record<IntakeError, string> = {
  log_filling: 'The event log is more than half full: no bids are sent until ClickHouse stores its events.',
  disk_filling: 'The disk of the event log is nearly full: no bids are sent.',
  disk_failing: 'The event log could not be written: no bids are sent until it can.',
};

const CLOSED: Record<ClosedIntake, string> = {
  no_tracker:
    'No tracker has reported in the last thirty seconds: no bids are sent, as their notices would be lost.',
  event_log: 'The event log of a tracker is filling, or none can be written: no bids are sent.',
};

function closedIntakeFault(closed: ClosedIntake | null): string[] {
  return closed === null ? [] : [CLOSED[closed]];
}

function bidderState(hasSnapshot: boolean, hasLease: boolean): true | string {
  if (!hasSnapshot) return 'No snapshot has been loaded yet.';
  return hasLease || 'The budget leases are out of date: PostgreSQL has not answered for ten seconds.';
}

/** A counter is ready once each partition of the event stream has an owner: this process, or another one. */
function counterState(counter: RunningCounter): true | string {
  const state = counter.state();
  if (!state?.isStreamUp)
    return 'The event stream is unavailable: NATS does not answer, or runs without JetStream.';
  if (!state.isFresh)
    return 'PostgreSQL has not confirmed the partitions of the event stream for four seconds.';
  return state.unowned === 0 || 'Some partitions of the event stream have no owner yet.';
}

/** Probes often wait for one second only, so no response is waited for longer. */
const RESPONSE_MS = 800;

/** An engine that responded this recently is available although its next response is late: this process may be busy. */
const LATE_MAX_MS = 5000;

/**
 * Returns a function that tells within a second whether an engine is available, once the step `after` of the start is done:
 * it responds to `ping`, or did so in the last five seconds and has not failed since. One ping runs at a time, until it is five
 * seconds old.
 */
export function engineProbe(
  after: Pick<Step, 'isDone' | 'done'>,
  ping: () => Promise<unknown>,
): () => Promise<boolean> {
  let respondedAtMs = -Infinity;
  let running: { beganAtMs: number; result: Promise<boolean> } | null = null;
  void after.done.then(() => (respondedAtMs = performance.now()));
  const tryOnce = async (): Promise<boolean> => {
    try {
      await ping();
      respondedAtMs = performance.now();
      return true;
    } catch {
      respondedAtMs = -Infinity;
      return false;
    }
  };
  const begin = () => {
    const began = { beganAtMs: performance.now(), result: tryOnce() };
    void began.result.then(() => {
      if (running === began) running = null;
    });
    return began;
  };
  return async () => {
    if (!after.isDone()) return false;
    if (running && performance.now() - running.beganAtMs >= LATE_MAX_MS) running = null;
    running ??= begin();
    return inTime(running.result, RESPONSE_MS, 'no answer').catch(
      () => performance.now() - respondedAtMs < LATE_MAX_MS,
    );
  };
}
