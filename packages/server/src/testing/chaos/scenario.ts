/** What one scenario of `npm run chaos` found. */
export interface ChaosResult {
  /** Events that the server acknowledged. */
  acknowledged: number;
  /** Acknowledged events that are not stored, or stored with other money. */
  lost: number;
  /** Events stored more than once, or stored though they were never sent, and spend that was booked twice. */
  doubled: number;
  /** Anything else that must not happen: a process that ended, a refusal without a reason. */
  failures: readonly string[];
  /** Figures worth reading, one a line. */
  notes: readonly string[];
}

/** How hard a scenario tries. */
export interface ChaosOptions {
  /** How often the fault is injected. */
  rounds: number;
  /** The built server, or its TypeScript source. */
  program: string;
  /** Fills the data folder before the first start. */
  prepare?: (dataDir: string) => Promise<void>;
  /** Progress for a person. */
  log: (line: string) => void;
}

/** A fault and the load under which it is injected. */
export interface ChaosScenario {
  name: string;
  /** One line for `npm run chaos -- --list`. */
  about: string;
  /** Rounds where no flag says otherwise. */
  rounds: number;
  /** Injects the fault; a text says why this machine cannot run it. */
  run(options: ChaosOptions): Promise<ChaosResult | string>;
}

/** True when nothing was lost or doubled and nothing failed. */
export function isClean({ lost, doubled, failures }: ChaosResult): boolean {
  return lost === 0 && doubled === 0 && failures.length === 0;
}
