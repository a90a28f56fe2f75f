/** A condition that money or exactly-once counting depends on does not hold: the program has a bug. */
export class InvariantViolated extends Error {
  override readonly name = 'InvariantViolated';
  /** The values that show it, for the log. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(message: string, facts: Readonly<Record<string, unknown>>) {
    super(message);
    this.facts = facts;
  }
}

let violations = 0;

/** How many invariants this process has found violated since its start. */
export function invariantViolations(): number {
  return violations;
}

/**
 * Asserts a condition that must always hold, at the place that establishes it. Throws {@link InvariantViolated} otherwise, and counts it in the
 * metric `bidwell_invariant_violations_total`: the transaction, request or round under way fails and changes nothing; the process goes
 * on, and repeats a round as after any other failure. `facts` is only called then.
 */
export function invariant(
  condition: boolean,
  message: string,
  facts: () => Readonly<Record<string, unknown>>,
): asserts condition {
  if (condition) return;
  violations += 1;
  throw new InvariantViolated(message, facts());
}
