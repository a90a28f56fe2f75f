import { weightOf } from './goal-record.ts';

/** Ends of the parts of the window, as shares of it: its beginning matters most. */
const STEPS = [1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 3 / 8, 1 / 2, 5 / 8, 3 / 4, 7 / 8, 1] as const;
/** Prior of the share of the value that has come by an age: the age as a share of the window, to this power. */
const CURVE_POWER = 0.4;
/** Weight of the prior, in expected conversions. */
const CURVE_WEIGHT = 10;

interface Delayed {
  ageMs: number;
  delayMs: number;
  units: number;
}

/**
 * Share of the final value that has come at the end of each of {@link STEPS}. It is learned link by link from installs that are
 * older than the link (the chain ladder of actuaries: T. Mack, "Distribution-free Calculation of the Standard Error of Chain Ladder
 * Reserve Estimates", ASTIN Bulletin 23, 1993).
 */
export function curveOf(rows: readonly Delayed[], windowMs: number): number[] {
  const last = STEPS.length - 1;
  const before = STEPS.map(() => 0);
  const until = STEPS.map(() => 0);
  for (const { ageMs, delayMs, units } of rows) {
    const weighted = units * weightOf(ageMs);
    for (let step = last; step > 0; step -= 1) {
      // Only what is older than the end of the link tells how much it adds.
      if (ageMs < STEPS[step]! * windowMs) continue;
      if (delayMs >= STEPS[step]! * windowMs) break;
      until[step]! += weighted;
      if (delayMs < STEPS[step - 1]! * windowMs) before[step]! += weighted;
    }
  }
  const curve = STEPS.map(() => 1);
  for (let step = last; step > 0; step -= 1) {
    const prior = (STEPS[step - 1]! / STEPS[step]!) ** CURVE_POWER;
    // Refunds may make a sum negative.
    const known = Math.max(0, until[step]!);
    const share =
      (Math.min(known, Math.max(0, before[step]!)) + CURVE_WEIGHT * prior) / (known + CURVE_WEIGHT);
    curve[step - 1] = curve[step]! * share;
  }
  return curve;
}

/** Share of the final value that has come at an age, given as a share of the window. */
export function shareAt(curve: readonly number[], age: number): number {
  if (age <= 0) return 0;
  let [startsAt, from] = [0, 0];
  for (let step = 0; step < STEPS.length; step += 1) {
    const [endsAt, to] = [STEPS[step]!, curve[step]!];
    if (age < endsAt) return from + ((to - from) * (age - startsAt)) / (endsAt - startsAt);
    [startsAt, from] = [endsAt, to];
  }
  return 1;
}
