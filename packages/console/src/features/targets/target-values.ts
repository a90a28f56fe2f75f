import { formValuesOf, formsOf } from '@bidwell/contract/lib/fields';
import { targetFields } from '@bidwell/contract/targets/fields';
import { Circle } from '@bidwell/contract/targets/place-values';
import { type Target, TargetInput, type TargetSettings } from '@bidwell/contract/targets/schema';
import { z } from 'zod';

/** The values of a target's form. Also the schema of its draft. */
export const TargetValues = z.object({
  app_id: z.string(),
  name: z.string(),
  description: z.string(),
  ...formsOf(targetFields),
});
export type TargetValues = z.infer<typeof TargetValues>;

/** Names of the form's list fields. */
export type ListField = {
  [Name in keyof TargetValues]: TargetValues[Name] extends string[] ? Name : never;
}[keyof TargetValues];

/** The form values of an existing target, or the defaults of a new one. */
export function valuesOf(target: Target | undefined): TargetValues {
  return {
    app_id: target?.app.uuid ?? '',
    name: target?.name ?? '',
    description: target?.description ?? '',
    ...formValuesOf(targetFields, target),
  };
}

/** The settings of a form while it is edited, without circles that are not filled in yet. */
export function settingsOf(values: TargetValues): TargetSettings {
  const { radius_include: included, radius_exclude: excluded, ...others } = values;
  const complete = (circles: TargetValues['radius_include']) =>
    circles.flatMap((circle) => Circle.safeParse(circle).data ?? []);
  return { ...others, radius_include: complete(included), radius_exclude: complete(excluded) };
}

/** Parses the form values into the API's input. */
export const inputOf = (values: TargetValues): TargetInput => TargetInput.parse(values);

const isList = (values: TargetValues, field: string): field is ListField =>
  Array.isArray((values as Record<string, unknown>)[field]);

/**
 * The values with an entry more in the list `field`, and without it in the list of exclusions. An empty list already
 * contains everything. Unchanged if `field` is no list.
 */
export function withEntry(values: TargetValues, field: string, entry: string): TargetValues {
  if (!isList(values, field)) return values;
  const isOther = (one: string) => one.toLowerCase() !== entry.toLowerCase();
  const exclusions = field.replace('_include', '_exclude');
  const [list, excluded] = [values[field], isList(values, exclusions) ? values[exclusions] : []];
  return {
    ...values,
    ...(exclusions !== field && { [exclusions]: excluded.filter(isOther) }),
    ...(list.length > 0 && { [field]: [...list.filter(isOther), entry] }),
  };
}
