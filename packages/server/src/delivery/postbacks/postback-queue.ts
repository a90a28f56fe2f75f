import type { Mmp } from '@bidwell/contract/apps/fields';
import type { PostbackOutcome } from '@bidwell/contract/postbacks/schema';
import { postbackApiMessages } from '@bidwell/contract/postbacks/api-messages';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { ByteShares } from '../../platform/concurrency/byte-shares.ts';
import { inTime } from '../../platform/concurrency/time-limits.ts';
import { Unavailable } from '../../platform/errors.ts';
import { addToSum } from '../../platform/group-by.ts';
import { type BatchDeps, type DecidedPostback, decideBatch, UnknownParameters } from './decide-batch.ts';
import type { LoggedPostback, RawPostback } from './received-postback.ts';
import { Uncounted } from './waiting-postbacks.ts';
import type { SharedIntake } from '../event-log/shared-intake.ts';
import { MANY_POSTBACKS_LOG, POSTBACK_LOG, UNCOUNTED_LOG } from '../event-log/quarantine.ts';
import {
  type LoggedSegment,
  type WriteAheadLog,
  type WriteAheadLogOptions,
  openWriteAheadLog,
} from '../event-log/write-ahead-log.ts';

/** Durable queue of postbacks: on disk at once, decided as soon as the databases are available. */
export interface PostbackQueue {
  /**
   * Resolves once the postback is on disk: at once with `pending`, or with its outcome where the caller waits for it, and it is decided
   * within `waitMs`. Rejects with Unavailable when the disk fails or too much is waiting, in all or of its company.
   */
  add(postback: RawPostback, waitMs: number): Promise<PostbackOutcome>;
  /** Resolves when everything added so far is decided, or waits for the events of other trackers. */
  flushed(): Promise<void>;
  /** Accepts no more postbacks; undecided ones wait on disk for the next start. */
  close(): Promise<void>;
}

/** Dependencies of the queue. */
export interface PostbackQueueDeps extends BatchDeps {
  /** How far the events of all trackers are counted; null where this process is the only one. */
  otherTrackers: Pick<SharedIntake, 'countedByAllMs'> | null;
  dataDir: string;
  log: Logger;
  /** Resolves when both databases are migrated. */
  ready: Promise<unknown>;
  /** How long a request waits for the decision, ms; as it asks by default. */
  postbackAnswerMs?: (() => number) | undefined;
  /** Called for each decision. */
  decided: (mmp: Mmp, outcome: PostbackOutcome) => void;
}

const TOO_MANY = apiMessages.queueFullForCompany(postbackApiMessages.postbacks);
/** How long a shutdown waits for undecided postbacks. */
const CLOSE_MS = 1000;
const SEGMENT_MS = 50;
const BYTES_MAX = 256 * 1024 ** 2;
/**
 * Limits for the undecided postbacks of one company: at its secret address, and at the addresses in links, which anyone who clicks knows.
 */
const BYTES_MAX_EACH = { secret: BYTES_MAX / 8, link: BYTES_MAX / 64 };
/**
 * Bytes of undecided postbacks of one share, some hundred postbacks. Beyond them, its further postbacks take turns with the postbacks
 * of other shares: a partner that sends the backlog of a day must not make the others wait.
 */
const FEW_BYTES = 256 * 1024;
/** Postbacks of shares with many that are decided in one batch, so that the others need not wait long. */
const MANY_AT_ONCE = 500;
/**
 * Limits for postbacks that wait for the events of other trackers. Each look-up writes them again, so they may use half of the log.
 */
const UNCOUNTED = { bytesMax: BYTES_MAX / 2, bytesMaxEach: BYTES_MAX / 32 };
/** How often the event of a postback is looked up that another tracker may not have handed on. */
const UNCOUNTED_EVERY_MS = 1000;

/**
 * Opens the log of postbacks under `dataDir`. Postbacks of an earlier process are decided as soon as the databases are
 * available.
 */
export async function openPostbackQueue(deps: PostbackQueueDeps): Promise<PostbackQueue> {
  const waiting = new Map<string, (outcome: PostbackOutcome) => void>();
  let stop = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('the postback queue is closing'));
  });
  stopped.catch(() => {});
  const awaited = new Uncounted(deps.otherTrackers, deps.now, UNCOUNTED);
  const unknown = new UnknownParameters();
  const answer = ({ id, mmp, outcome, ofPostback }: DecidedPostback): void => {
    awaited.remove(id);
    deps.decided(mmp, ofPostback);
    waiting.get(id)?.(outcome);
    waiting.delete(id);
  };
  let opened = (): void => {};
  const logsOpen = new Promise<void>((resolve) => (opened = resolve));
  // One batch at a time: a postback that has moved to another log may still be in the first.
  let last: Promise<unknown> = Promise.all([deps.ready, logsOpen]);
  const decide = async (postbacks: readonly LoggedPostback[], isDoubtful: boolean): Promise<void> => {
    const decision = last
      .catch(() => deps.ready)
      .then(async () => {
        const isFinal = await awaited.beforeLookUp(postbacks);
        return decideBatch(deps, postbacks, { isDoubtful, isFinal, unknown });
      });
    last = decision;
    // A look-up may wait for a database that is unavailable until this process ends.
    decision.catch(() => {});
    const { decided, undecided } = await Promise.race([decision, stopped]);
    for (const one of decided) answer(one);
    // Behind the others, so that none holds up another.
    await Promise.all(undecided.map(async (one) => uncounted.append(recordOf(one))));
  };
  const common = logOptions(deps.log);
  const uncounted = await openWriteAheadLog({
    ...common,
    folder: join(deps.dataDir, UNCOUNTED_LOG),
    segmentMs: UNCOUNTED_EVERY_MS,
    loadEveryMs: UNCOUNTED_EVERY_MS,
    load: async (segments) => decide(postbacksIn(segments).postbacks, true),
  });
  const few = await openSharedLog({ ...common, folder: join(deps.dataDir, POSTBACK_LOG) }, decide);
  const manyOptions = { ...common, folder: join(deps.dataDir, MANY_POSTBACKS_LOG), rowsMax: MANY_AT_ONCE };
  const many = await openSharedLog(manyOptions, async (postbacks, isDoubtful) => {
    // Postbacks that a share sent before it had many are decided first, as a rejection must not precede its install; then the
    // postbacks that arrived meanwhile.
    for (let times = 0; times < 2; times += 1) await Promise.race([few.wal.flushed(), stopped]);
    await decide(postbacks, isDoubtful);
  });
  const append = appenderTo(few, many);
  opened();
  return {
    async add(postback, waitMs) {
      const id = uuidv7();
      const logged: LoggedPostback = { v: 1, id, atMs: deps.now().getTime(), ...postback };
      const answerMs = deps.postbackAnswerMs?.() ?? waitMs;
      if (answerMs <= 0) {
        await append(logged);
        return 'pending';
      }
      const decision = new Promise<PostbackOutcome>((resolve) => waiting.set(id, resolve));
      try {
        await append(logged);
      } catch (error) {
        waiting.delete(id);
        throw error;
      }
      const outcome = await inTime(decision, answerMs, 'not decided yet').catch(() => 'pending' as const);
      waiting.delete(id);
      return outcome;
    },
    async flushed() {
      await few.wal.flushed();
      await many.wal.flushed();
    },
    async close() {
      const timeoutMs = setTimeout(stop, CLOSE_MS);
      await few.wal.close();
      await many.wal.close();
      await uncounted.close();
      clearTimeout(timeoutMs);
    },
  };
}

/** A log, and the waiting postbacks of each share. */
interface SharedLog {
  wal: WriteAheadLog;
  shares: ByteShares;
  /** Postbacks that are being written. */
  writing: number;
}

/** Opens a log that `decide` empties. */
async function openSharedLog(
  options: Omit<WriteAheadLogOptions, 'load'>,
  decide: (postbacks: readonly LoggedPostback[], isDoubtful: boolean) => Promise<void>,
): Promise<SharedLog> {
  const shares = new ByteShares();
  const wal = await openWriteAheadLog({
    segmentMs: SEGMENT_MS,
    ...options,
    load: async (segments) => {
      const { postbacks, bytesOf } = postbacksIn(segments);
      await decide(
        postbacks,
        segments.some(({ doubtful }) => doubtful),
      );
      for (const [share, bytes] of bytesOf) shares.remove(share, bytes);
    },
  });
  return { wal, shares, writing: 0 };
}

/**
 * Writes a postback to the log of shares with few undecided ones, or to the log of shares with many, if its company has room there. The
 * postbacks of a share are decided in their order: while it has any in the second log, or an earlier process may have left some there,
 * its further ones follow them.
 */
function appenderTo(few: SharedLog, many: SharedLog) {
  let hasEarlier = many.wal.waiting().bytes > 0;
  if (hasEarlier) void many.wal.recovered.then(() => (hasEarlier = false));
  return async (logged: LoggedPostback): Promise<void> => {
    const record = recordOf(logged);
    const share = shareOf(logged);
    // A damaged segment is put aside without its records.
    for (const { wal, shares, writing } of [few, many])
      if (writing === 0 && wal.waiting().bytes === 0) shares.clear();
    const isFew = !hasEarlier && !many.shares.has(share) && few.shares.add(share, record.length, FEW_BYTES);
    const bytesMax = logged.installToken === '' ? BYTES_MAX_EACH.secret : BYTES_MAX_EACH.link;
    if (!isFew && !many.shares.add(share, record.length, bytesMax)) throw new Unavailable(TOO_MANY);
    const log = isFew ? few : many;
    log.writing += 1;
    try {
      await log.wal.append(record);
    } catch (error) {
      log.shares.remove(share, record.length);
      throw error;
    } finally {
      log.writing -= 1;
    }
  };
}

/** Whose share of the log a postback takes. */
const shareOf = ({ companyId, installToken }: LoggedPostback): string =>
  installToken === '' ? companyId : `${companyId} link`;

/** A postback as it is written to a log. */
const recordOf = (postback: LoggedPostback): Buffer => Buffer.from(JSON.stringify(postback));

/** Options of both logs. */
function logOptions(log: Logger) {
  return {
    bytesMax: BYTES_MAX,
    onDamage: (damaged) =>
      log.error(
        damaged,
        'a segment of the postback log is damaged; its intact records are processed and the file is quarantined',
      ),
    onLoadError: (err) =>
      log.error({ err }, 'postbacks could not be attributed; they stay in the postback log and are retried'),
  } satisfies Partial<WriteAheadLogOptions>;
}

/** The postbacks in segments, and how many bytes this process wrote of each share. */
function postbacksIn(segments: readonly LoggedSegment[]) {
  // A process that ended while it wrote one again left it twice.
  const postbacks = new Map<string, LoggedPostback>();
  const bytesOf = new Map<string, number>();
  for (const { records, recovered } of segments)
    for (const record of records) {
      const postback = JSON.parse(record.toString('utf8')) as LoggedPostback;
      postbacks.set(postback.id, postback);
      if (!recovered) addToSum(bytesOf, shareOf(postback), record.length);
    }
  return { postbacks: [...postbacks.values()], bytesOf };
}
