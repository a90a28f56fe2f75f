import { statfs } from 'node:fs/promises';
import type { WriteAheadLog } from './write-ahead-log.ts';

/** Why no more notices should be caused: the log is half full, its disk is nearly full, or a write failed. */
export type IntakeFault = 'log_filling' | 'disk_filling' | 'disk_failing';

/** What decides about the intake. */
export interface IntakeFacts {
  waitingBytes: number;
  /** What may wait before notices are refused. */
  bytesMax: number;
  /** Free on the log's disk; null where the system does not say. */
  freeBytes: number | null;
  /** The last write failed. */
  failed: boolean;
}

/** Parts of `bytesMax`: where bidding stops, and where it goes on. */
const WAITING = { stop: 1 / 2, resume: 1 / 3 };
const FREE = { stop: 1 / 4, resume: 3 / 8 };
const WATCH_MS = 500;

/**
 * The fault after these facts. Bids stop long before notices are refused: those of bids that are out still come. What
 * stopped them must be well over before they go on, or they would start and stop with every segment.
 */
export function nextFault(present: IntakeFault | null, facts: IntakeFacts): IntakeFault | null {
  const { waitingBytes, bytesMax, freeBytes, failed } = facts;
  if (failed) return 'disk_failing';
  if (waitingBytes > bytesMax * (present === 'log_filling' ? WAITING.resume : WAITING.stop))
    return 'log_filling';
  const wanted =
    bytesMax * (present === 'disk_filling' || present === 'disk_failing' ? FREE.resume : FREE.stop);
  return freeBytes !== null && freeBytes < wanted ? 'disk_filling' : null;
}

/** Watches whether the event log can take what new bids would bring. */
export interface Intake {
  fault(): IntakeFault | null;
  stop(): void;
}

/** Looks at the log whenever it is asked, and at its disk twice a second; a disk that failed is tried again. */
export function watchIntake(
  log: Pick<WriteAheadLog, 'waiting' | 'writeError' | 'probe'>,
  folder: string,
  freeOf: (folder: string) => Promise<number | null> = freeBytesOf,
): Intake {
  let fault: IntakeFault | null = null;
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
      return (fault = nextFault(fault, {
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
