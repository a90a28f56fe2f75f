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
import { MANY_LANE, POSTBACK_LOG, UNCOUNTED_LANE } from '../event-log/quarantine.ts';
import {
  FIRST_LANE,
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
 * Limits for postbacks that wait for the events of other trackers. Each look-up writes them again, so they may use half of their lane.
 */
const UNCOUNTED = { bytesMax: BYTES_MAX / 2, bytesMaxEach: BYTES_MAX / 32 };
/** How often the event of a postback is looked up that another tracker may not have handed on, and of how many at once. */
const UNCOUNTED_EVERY_MS = 1000;
const UNCOUNTED_AT_ONCE = 50_000;

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
  const decide = async (postbacks: readonly LoggedPostback[], isDoubtful: boolean): Promise<void> => {
    const decision = deps.ready.then(async () => {
      const isFinal = await awaited.beforeLookUp(postbacks);
      return decideBatch(deps, postbacks, { isDoubtful, isFinal, unknown });
    });
    // A look-up may wait for a database that is unavailable until this process ends.
    decision.catch(() => {});
    const { decided, undecided } = await Promise.race([decision, stopped]);
    for (const one of decided) answer(one);
    // Behind the others, so that none holds up another.
    const log = await opening;
    await Promise.all(undecided.map(async (one) => log.append(recordOf(one), UNCOUNTED_LANE)));
  };
  const [few, many] = [new UndecidedLane(FIRST_LANE), new UndecidedLane(MANY_LANE)];
  const loaderOf = ({ shares }: UndecidedLane): WriteAheadLogOptions['load'] => {
    return async (segments) => {
      const { postbacks, bytesOf } = postbacksIn(segments);
      await decide(
        postbacks,
        segments.some(({ doubtful }) => doubtful),
      );
      for (const [share, bytes] of bytesOf) shares.remove(share, bytes);
    };
  };
  const opening = openWriteAheadLog({
    ...logOptions(deps.log),
    folder: join(deps.dataDir, POSTBACK_LOG),
    segmentMs: SEGMENT_MS,
    load: loaderOf(few),
    lanes: [
      {
        name: MANY_LANE,
        load: loaderOf(many),
        segmentMs: SEGMENT_MS,
        bytesMax: BYTES_MAX,
        rowsMax: MANY_AT_ONCE,
      },
      {
        name: UNCOUNTED_LANE,
        load: async (segments) => decide(postbacksIn(segments).postbacks, true),
        segmentMs: UNCOUNTED_EVERY_MS,
        bytesMax: BYTES_MAX,
        rowsMax: UNCOUNTED_AT_ONCE,
      },
    ],
  });
  const wal = await opening;
  const append = appenderTo(wal, few, many);
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
    flushed: () => wal.flushed(),
    async close() {
      const timeoutMs = setTimeout(stop, CLOSE_MS);
      await wal.close();
      clearTimeout(timeoutMs);
    },
  };
}

/** A lane of new postbacks, and the undecided ones of each share. */
class UndecidedLane {
  readonly shares = new ByteShares();
  /** Postbacks that are being written. */
  writing = 0;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Writes a postback to the lane of shares with few undecided ones, or to the lane of shares with many, if its company has room there.
 * The postbacks of a share are decided in their order: while it has any in the second lane, or an earlier process may have left some
 * there, its further ones follow them.
 */
function appenderTo(wal: WriteAheadLog, few: UndecidedLane, many: UndecidedLane) {
  let hasEarlier = wal.waiting(MANY_LANE).bytes > 0;
  if (hasEarlier) void wal.recovered.then(() => (hasEarlier = false));
  return async (logged: LoggedPostback): Promise<void> => {
    const record = recordOf(logged);
    const share = shareOf(logged);
    // A damaged segment is put aside without its records.
    for (const { name, shares, writing } of [few, many])
      if (writing === 0 && wal.waiting(name).bytes === 0) shares.clear();
    const isFew = !hasEarlier && !many.shares.has(share) && few.shares.add(share, record.length, FEW_BYTES);
    const bytesMax = logged.installToken === '' ? BYTES_MAX_EACH.secret : BYTES_MAX_EACH.link;
    if (!isFew && !many.shares.add(share, record.length, bytesMax)) throw new Unavailable(TOO_MANY);
    const lane = isFew ? few : many;
    lane.writing += 1;
    try {
      await wal.append(record, lane.name);
    } catch (error) {
      lane.shares.remove(share, record.length);
      throw error;
    } finally {
      lane.writing -= 1;
    }
  };
}

/** Whose share of the log a postback takes. */
const shareOf = ({ companyId, installToken }: LoggedPostback): string =>
  installToken === '' ? companyId : `${companyId} link`;

/** A postback as it is written to a log. */
const recordOf = (postback: LoggedPostback): Buffer => Buffer.from(JSON.stringify(postback));

/** Options of the log. */
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
