import type { WriteAheadLogOptions } from './write-ahead-log.ts';

/** Where the segments of a tracker's log go. */
export interface EventSink {
  /** Counts or publishes segments. Repeated until it succeeds. */
  load: WriteAheadLogOptions['load'];
  /** Shortest time between the beginnings of two loads; none if undefined. */
  loadEveryMs?: number;
  /**
   * Notes what `load`, of this process or of an earlier one with the same log, has handed on so far. What is returned tells
   * whether all of it can be queried.
   */
  checkpoint(): Promise<() => Promise<boolean>>;
  /** Resolves when everything that `load` has handed on can be queried. */
  flushed(): Promise<void>;
}
