import { statfs } from 'node:fs/promises';
import type { WriteAheadLog } from './write-ahead-log.ts';

/** The reason to stop bidding: the log is half full, its disk is nearly full, or a write failed. */
export type IntakeError = 'log_filling' | 'disk_filling' | 'disk_failing';

/** State of the log and its disk, on which bidding depends. */
export interface IntakeFacts {
  waitingBytes: number;
  /** Bytes that may wait before notices are rejected. */
  bytesMax: number;
  /** Free bytes on the log's disk; null where the system does not provide them. */
  freeBytes: number | null;
  /** The last write failed. */
  failed: boolean;
}

/** Thresholds for stopping and resuming bids, as parts of `bytesMax`. */
const WAITING = { stop: 1 / 2, resume: 1 / 3 };
const FREE = { stop: 1 / 4, resume: 3 / 8 };
const WATCH_MS = 500;

/**
 * Returns the fault for this state. Bids stop long before notices are rejected, because notices of earlier bids still
 * arrive. The thresholds have hysteresis, so that bidding does not stop and resume with every segment.
 */
export function nextIntakeError(present: IntakeError | null, facts: IntakeFacts): IntakeError | null {
  const { waitingBytes, bytesMax, freeBytes, failed } = facts;
  if (failed) return 'disk_failing';
  if (waitingBytes > bytesMax * (present === 'log_filling' ? WAITING.resume : WAITING.stop))
    return 'log_filling';
  const targetBytes =
    bytesMax * (present === 'disk_filling' || present === 'disk_failing' ? FREE.resume : FREE.stop);
  return freeBytes !== null && freeBytes < targetBytes ? 'disk_filling' : null;
}

/** Monitors whether the event log has room for the events of new bids. */
export interface Intake {
  fault(): IntakeError | null;
  stop(): void;
}

/**
 * Starts to monitor a log: its state is read at each call, the free space twice a second. A write is retried after one
 * failed.
 */
export function watchIntake(
  log: Pick<WriteAheadLog, 'waiting' | 'writeError' | 'probe'>,
  folder: string,
  freeOf: (folder: string) => Promise<number | null> = freeBytesOf,
): Intake {
  let fault: IntakeError | null = null;
  let freeBytes: number | null = null;
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    if (log.writeError()) await log.probe();
    freeBytes = await freeOf(folder);
    isLooking = false;
  };
  const timer = setInterval(() => void look(), WATCH_MS);
  timer.unref();
  void look();
  return {
    fault() {
      const { bytes: waitingBytes, bytesMax } = log.waiting();
      return (fault = nextIntakeError(fault, {
        waitingBytes,
        bytesMax,
        freeBytes,
        failed: log.writeError() !== null,
      }));
    },
    stop: () => clearInterval(timer),
  };
}

async function freeBytesOf(folder: string): Promise<number | null> {
  return statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );
}
