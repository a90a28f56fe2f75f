import type { Conversion, GoalRecord } from './goal-record.ts';

/** Largest multiple at which an amount counts of what as many other people have paid: what nobody else pays is a mistake or forged. */
const CONFIRMED_BY = 3;
const CONFIRMED_TIMES = 3;
/** Largest multiple of the payers' mean at which a person's revenue counts; the rest is spread over all payers, up to a factor. */
const CAP_MEANS = 8;
const RESTORED_MAX = 1.5;

/** A conversion in units of a typical one. */
export interface PersonRow extends Conversion {
  units: number;
  /** The first of its person. */
  isFirst: boolean;
}

/** The conversions of a goal within its window. */
export interface PersonRows {
  rows: PersonRow[];
  people: number;
  /** Size of a typical conversion; null without any. */
  unit: number | null;
  /** Factor that spreads what was cut of single people over all. */
  restored: number;
}

/**
 * The conversions within the window; of an event, the first of each person. Revenue of a person is cut off at a cap. `assumed` is
 * the revenue of one who pays, as long as few are known.
 */
export function personRows({ conversions, windowMs, isRevenue }: GoalRecord, assumed: number): PersonRows {
  const persons = new Map<string, Conversion[]>();
  for (const conversion of conversions) {
    if (conversion.delayMs < 0 || conversion.delayMs >= windowMs) continue;
    const own = persons.get(conversion.person);
    if (!own) persons.set(conversion.person, [conversion]);
    else if (isRevenue) own.push(conversion);
    else if (conversion.delayMs < own[0]!.delayMs) own[0] = conversion;
  }
  if (!isRevenue) {
    const rows = [...persons.values()].map(([first]) => ({ ...first!, units: 1, isFirst: true }));
    return { rows, people: rows.length, unit: rows.length > 0 ? 1 : null, restored: 1 };
  }
  const payers = [...persons.values()].flatMap((own) => {
    const sum = own.reduce((total, { value }) => total + value, 0);
    return sum > 0 ? [{ own, sum, bundle: own[0]!.bundle }] : [];
  });
  return payers.length > 0 ? rowsOf(payers, assumed) : { rows: [], people: 0, unit: null, restored: 1 };
}

/** A person who paid, with the sum. */
interface Payer {
  own: Conversion[];
  sum: number;
  bundle: string;
}

function rowsOf(payers: readonly Payer[], assumed: number): PersonRows {
  const confirmed = confirmedMax(payers, assumed);
  const revenue = payers.reduce((total, { sum }) => total + Math.min(sum, confirmed), 0);
  const cap = Math.min(confirmed, (CAP_MEANS * revenue) / payers.length);
  const capped = payers.map(({ sum }) => Math.min(sum, cap));
  const counted = capped.reduce((total, sum) => total + sum, 0);
  const unit = capped.reduce((total, sum) => total + sum * sum, 0) / counted;
  const rows = payers.flatMap(({ own, sum }, index) =>
    own.map((conversion, at) => ({
      ...conversion,
      units: (conversion.value * capped[index]!) / sum / unit,
      isFirst: at === 0,
    })),
  );
  return { rows, people: payers.length, unit, restored: Math.min(RESTORED_MAX, revenue / counted) };
}

/** The highest revenue of a person that is believed. Where people of enough publishers pay, no publisher confirms its own amounts. */
function confirmedMax(payers: readonly Payer[], assumed: number): number {
  const highest = new Map<string, number>();
  for (const { bundle, sum } of payers) highest.set(bundle, Math.max(sum, highest.get(bundle) ?? 0));
  const amounts = highest.size >= CONFIRMED_BY ? [...highest.values()] : payers.map(({ sum }) => sum);
  while (amounts.length < CONFIRMED_BY) amounts.push(assumed);
  return CONFIRMED_TIMES * amounts.sort((a, b) => b - a)[CONFIRMED_BY - 1]!;
}
