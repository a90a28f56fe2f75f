/** Largest batch: its first item waits for the stages of the others. */
const BATCH_MAX = 64;

/** The steps of the work on an item. The first two return what the next one needs, or null if the item is done. */
export interface Stages<Item, Read, Decided> {
  read: (item: Item) => Read | null;
  decide: (item: Item, read: Read) => Decided | null;
  finish: (item: Item, decided: Decided) => void;
  /** Takes an item for which a stage threw `error`. */
  failed: (item: Item, error: unknown) => void;
}

/** An item with the result of its last stage. */
interface Staged<Item, Result> {
  item: Item;
  result: Result;
}

/**
 * Returns a function that takes an item for work in stages. Items that arrive in one turn of the event loop are worked on
 * together, each stage for up to {@link BATCH_MAX} of them before the next: the code and data of a stage stay in the
 * processor's caches meanwhile, which halves the time of short work on many items (J. Larus and M. Parkes, "Using Cohort
 * Scheduling to Enhance Server Performance", USENIX 2002). Items keep their order, and one that fails does not stop others.
 */
export function inStages<Item, Read, Decided>({
  read,
  decide,
  finish,
  failed,
}: Stages<Item, Read, Decided>): (item: Item) => void {
  let waiting: Staged<Item, null>[] = [];
  const runStage = <From, To>(
    batch: readonly Staged<Item, From>[],
    stage: (item: Item, from: From) => To | null,
  ): Staged<Item, To>[] => {
    const next: Staged<Item, To>[] = [];
    for (const { item, result: from } of batch) {
      try {
        const result = stage(item, from);
        if (result !== null) next.push({ item, result });
      } catch (error) {
        failed(item, error);
      }
    }
    return next;
  };
  const runAll = (): void => {
    const arrived = waiting;
    waiting = [];
    for (let from = 0; from < arrived.length; from += BATCH_MAX) {
      const batch = arrived.slice(from, from + BATCH_MAX);
      runStage(runStage(runStage(batch, read), decide), (item, decided) => {
        finish(item, decided);
        return null;
      });
    }
  };
  return (item) => {
    // After the event loop has read what had arrived.
    if (waiting.push({ item, result: null }) === 1) setImmediate(runAll);
  };
}
