/** Largest batch: its first item waits for the stages of the others. */
const BATCH_MAX = 64;

/** The steps of the work on an item. The first two return the item with what they found, or null if it is done. */
export interface Stages<Item, Read extends Item, Decided extends Item> {
  read: (item: Item) => Read | null;
  decide: (item: Read) => Decided | null;
  finish: (item: Decided) => void;
  /** Takes an item for which a stage threw `error`. */
  failed: (item: Item, error: unknown) => void;
}

/**
 * Returns a function that takes an item for work in stages. Items that arrive in one turn of the event loop are worked on
 * together, each stage for up to {@link BATCH_MAX} of them before the next: the code and data of a stage stay in the
 * processor's caches meanwhile, which halves the time of short work on many items (J. Larus and M. Parkes, "Using Cohort
 * Scheduling to Enhance Server Performance", USENIX 2002). Items keep their order, and one that fails does not stop others.
 */
export function inStages<Item, Read extends Item, Decided extends Item>({
  read,
  decide,
  finish,
  failed,
}: Stages<Item, Read, Decided>): (item: Item) => void {
  let waiting: Item[] = [];
  const runStage = <From extends Item, To>(
    items: readonly From[],
    stage: (item: From) => To | null,
  ): To[] => {
    const results: To[] = [];
    for (const item of items) {
      try {
        const result = stage(item);
        if (result !== null) results.push(result);
      } catch (error) {
        failed(item, error);
      }
    }
    return results;
  };
  const runAll = (): void => {
    const arrived = waiting;
    waiting = [];
    for (let from = 0; from < arrived.length; from += BATCH_MAX) {
      const batch = arrived.slice(from, from + BATCH_MAX);
      runStage(runStage(runStage(batch, read), decide), finish);
    }
  };
  return (item) => {
    // After the event loop has read what had arrived.
    if (waiting.push(item) === 1) setImmediate(runAll);
  };
}
