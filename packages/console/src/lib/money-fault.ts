import { limits } from '@bidwell/contract/limits';
import { formatMoney } from './format.ts';

interface MoneyBounds {
  /** Dollars; one cent without it. */
  min?: number;
  /** Dollars. */
  max: number;
}

/** What is wrong with an amount of dollars that a person typed; undefined when nothing is. Pure. */
export function moneyFault(
  dollars: number,
  { min = limits.cpmMinDollars, max }: MoneyBounds,
): string | undefined {
  if (!(dollars >= min)) return `Enter at least ${formatMoney(min)}`;
  return dollars > max ? `Enter at most ${formatMoney(max)}` : undefined;
}

/** The same for an amount that may be left out by a choice of that name (Unlimited), which is null. Pure. */
export function choiceFault(
  dollars: number | null,
  { choice, ...bounds }: MoneyBounds & { choice: string },
): string | undefined {
  if (dollars === null) return undefined;
  const fault = moneyFault(dollars, bounds);
  return fault && dollars <= 0 ? `${fault}, or choose ${choice}` : fault;
}
