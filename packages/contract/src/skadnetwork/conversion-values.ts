import { z } from 'zod';
import { limits } from '../lib/limits.ts';
import { numberText } from '../lib/number-text.ts';
import { CalendarDate } from '../lib/wire.ts';
import { skadnetworkMessages } from './messages.ts';
import { messages } from '../text/messages.ts';
import { COARSE_VALUES, FINE_VALUE_MAX } from './postbacks.ts';
import { entityVersion } from '../lib/version.ts';

/** Most rules of a schema: one for each fine value, and one for each coarse value of the three windows. */
export const CONVERSION_RULES_MAX = FINE_VALUE_MAX + 1 + 3 * COARSE_VALUES.length;
/** Most versions of a schema; one is added on each day on which it is changed. */
export const CONVERSION_VERSIONS_MAX = 500;

const Fine = z
  .number(skadnetworkMessages.fineValue)
  .int(skadnetworkMessages.fineValue)
  .min(0, skadnetworkMessages.fineValue)
  .max(FINE_VALUE_MAX, skadnetworkMessages.fineValue);
const Dollars = z
  .number('Enter a number')
  .min(0, 'Enter 0 or more')
  .max(limits.budgetMaxDollars, `At most $${numberText(limits.budgetMaxDollars)}`);

/** The meaning of some conversion values of one window: an in-app event, a range of revenue, or both. */
const ConversionRule = z.object({
  /** The conversion window: 0, 1 or 2, of the days 0-2, 3-7 and 8-35 after the first launch. */
  window: z.number().int().min(0).max(2),
  /** The fine values, both included; null with `coarse`. Devices send them in the first window only. */
  fine_from: Fine.nullable(),
  fine_to: Fine.nullable(),
  coarse: z.enum(COARSE_VALUES).nullable(),
  /** The person's action. */
  event: z.string().trim().max(limits.goalEventMax).nullable(),
  /** Dollars of the person, both included; both null if the value does not state revenue. */
  revenue_from: Dollars.nullable(),
  revenue_to: Dollars.nullable(),
});
export type ConversionRule = z.infer<typeof ConversionRule>;

/** The field of a rule that is wrong with its message; null for a rule that is valid. Pure. */
function faultOf(rule: ConversionRule): [field: keyof ConversionRule, message: string] | null {
  const { window, fine_from: from, fine_to: to, coarse, event, revenue_from: low, revenue_to: high } = rule;
  if (coarse !== null && (from !== null || to !== null)) return ['coarse', skadnetworkMessages.fineOrCoarse];
  if (coarse === null && (from === null || to === null)) return ['fine_from', skadnetworkMessages.fineValue];
  if (coarse === null && window !== 0) return ['window', skadnetworkMessages.fineWindow];
  if (from !== null && to !== null && from > to) return ['fine_to', skadnetworkMessages.fineOrder];
  if ((low === null) !== (high === null))
    return [low === null ? 'revenue_from' : 'revenue_to', messages.required];
  if (low !== null && high !== null && low > high) return ['revenue_to', skadnetworkMessages.revenueOrder];
  if (!event && low === null) return ['event', skadnetworkMessages.conversionMeaning];
  return null;
}

/** Index of the first rule with a value that an earlier rule has too; -1 for none. Pure. */
function overlapOf(rules: readonly ConversionRule[]): number {
  const known = new Set<string>();
  return rules.findIndex((rule) => {
    const values = valuesOf(rule).map((value) => `${rule.window} ${value}`);
    const isKnown = values.some((value) => known.has(value));
    for (const value of values) known.add(value);
    return isKnown;
  });
}

function valuesOf({ coarse, fine_from: from, fine_to: to }: ConversionRule): (string | number)[] {
  if (coarse !== null) return [coarse];
  if (from === null || to === null) return [];
  // Rules with values beyond the limits are included; another check rejects these.
  return Array.from({ length: FINE_VALUE_MAX + 1 }, (_, value) => value).filter(
    (value) => from <= value && value <= to,
  );
}

/** The meaning of an app's conversion values; values without a rule have none. */
const ConversionRules = z
  .array(ConversionRule)
  .max(CONVERSION_RULES_MAX)
  .superRefine((rules, context) => {
    for (const [index, rule] of rules.entries()) {
      const fault = faultOf(rule);
      if (fault) context.addIssue({ code: 'custom', path: [index, fault[0]], message: fault[1] });
    }
    const overlap = overlapOf(rules);
    if (overlap >= 0)
      context.addIssue({
        code: 'custom',
        path: [overlap, rules[overlap]!.coarse === null ? 'fine_from' : 'coarse'],
        message: skadnetworkMessages.valueTwice,
      });
  });

/** PUT /app/{uuid}/conversion-values: replaces all rules. */
export const ConversionValuesInput = z.object({ rules: ConversionRules });
export type ConversionValuesInput = z.infer<typeof ConversionValuesInput>;

const ConversionVersion = z.object({
  /** The first day, in the company's time zone, on which postbacks arrived that it explains. */
  valid_from: CalendarDate,
  rules: z.array(ConversionRule),
});
export type ConversionVersion = z.infer<typeof ConversionVersion>;

/** GET /app/{uuid}/conversion-values: the meaning of an app's conversion values. */
export const ConversionValues = z.object({
  /** The rules of today; empty if none were entered. */
  rules: z.array(ConversionRule),
  /** The newest first, at most 20. Postbacks keep the meaning that their day had. */
  versions: z.array(ConversionVersion),
});
export type ConversionValues = z.infer<typeof ConversionValues>;

export const conversionValuesVersion = entityVersion(ConversionValues, ['versions']);

/** A conversion value that arrived. */
export interface ArrivedValue {
  window: number;
  fine: number | null;
  coarse: string | null;
}

/** The rule that explains a value; undefined where none does. Pure. */
export function ruleFor(
  rules: readonly ConversionRule[],
  { window, fine, coarse }: ArrivedValue,
): ConversionRule | undefined {
  return rules.find(
    (rule) =>
      rule.window === window &&
      (rule.coarse === null
        ? fine !== null && rule.fine_from! <= fine && fine <= rule.fine_to!
        : fine === null && coarse === rule.coarse),
  );
}
