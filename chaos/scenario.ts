/** Result of a scenario of `npm run chaos`. */
export interface ChaosResult {
  /** Events that the server acknowledged. */
  acknowledged: number;
  /** Acknowledged events that are not stored, or stored with the wrong spend. */
  lost: number;
  /** Events that are stored more than once or were never sent, and spend that was booked twice. */
  doubled: number;
  /** Anything else that must not happen, such as a process that exits or a rejection without a reason. */
  failures: readonly string[];
  /** Further figures to print, one per line. */
  notes: readonly string[];
}

/** Options of a scenario. */
export interface ChaosOptions {
  /** Number of times that the fault is injected. */
  rounds: number;
  /** This many times as many bids have an install and in-app events, in the scenarios with such bids; 1 by default. */
  events?: number;
  /** The built server, or its TypeScript source. */
  program: string;
  /** Fills the data folder before the first start. */
  prepare?: (dataDir: string) => Promise<void>;
  /** Ends the scenario, and kills its servers. */
  signal?: AbortSignal;
  /** Prints progress. */
  log: (line: string) => void;
}

/** Options of a scenario that runs: its servers are killed when the signal aborts. */
export type RunningOptions = ChaosOptions & { signal: AbortSignal };

/** A fault and the load under which it is injected. */
export interface ChaosScenario {
  name: string;
  /** One line for `npm run chaos -- --list`. */
  about: string;
  /** Default number of rounds. */
  rounds: number;
  /** Injects the fault. Resolves to a text if this machine cannot run the scenario, with the reason. */
  run(options: ChaosOptions): Promise<ChaosResult | string>;
}

/** True if nothing was lost or duplicated and nothing failed. */
export function isClean({ lost, doubled, failures }: ChaosResult): boolean {
  return lost === 0 && doubled === 0 && failures.length === 0;
}
