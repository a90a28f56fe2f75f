import { Counter, type Registry } from 'prom-client';

/**
 * A counter with two labels for paths that run for every request: it adds plain numbers and passes them to prom-client
 * when the metrics are read, because resolving labels takes longer than the rest of a small request.
 */
export class Tally {
  /** Increments that prom-client does not have yet, by the first and the second label's value. */
  readonly #added = new Map<string, Map<string, number>>();

  constructor(registry: Registry, name: string, help: string, labelNames: readonly [string, string]) {
    const added = this.#added;
    const [first, second] = labelNames;
    registry.registerMetric(
      new Counter({
        name,
        help,
        labelNames: [...labelNames],
        registers: [],
        collect() {
          for (const [one, byOther] of added)
            for (const [other, count] of byOther) this.inc({ [first]: one, [second]: other }, count);
          added.clear();
        },
      }),
    );
  }

  /** Adds one. The values must come from bounded sets: each pair is a time series. */
  inc(one: string, other: string): void {
    let byOther = this.#added.get(one);
    if (!byOther) this.#added.set(one, (byOther = new Map<string, number>()));
    byOther.set(other, (byOther.get(other) ?? 0) + 1);
  }
}
