import { type Target, TargetInput } from '@bidwell/contract/targets/schema';
import { z } from 'zod';

const texts = z.array(z.string());

/** The values of a target's form. Also the schema of its draft. */
export const TargetValues = z.object({
  app_id: z.string(),
  name: z.string(),
  description: z.string(),
  device_connection_types: texts,
  device_max_os_version: z.string(),
  device_min_os_version: z.string(),
  device_models: texts,
  device_os: texts,
  device_types: texts,
  exchange_include: texts,
  exchange_exclude: texts,
  genre_include: texts,
  genre_exclude: texts,
  language_include: texts,
  language_exclude: texts,
  location_include: texts,
  location_exclude: texts,
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
    device_connection_types: target?.device_connection_types ?? [],
    device_max_os_version: target?.device_max_os_version ?? '',
    device_min_os_version: target?.device_min_os_version ?? '',
    device_models: target?.device_models ?? [],
    device_os: target?.device_os ?? [],
    device_types: target?.device_types ?? [],
    exchange_include: target?.exchange_include ?? [],
    exchange_exclude: target?.exchange_exclude ?? [],
    genre_include: target?.genre_include ?? [],
    genre_exclude: target?.genre_exclude ?? [],
    language_include: target?.language_include ?? [],
    language_exclude: target?.language_exclude ?? [],
    location_include: target?.location_include ?? [],
    location_exclude: target?.location_exclude ?? [],
  };
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
