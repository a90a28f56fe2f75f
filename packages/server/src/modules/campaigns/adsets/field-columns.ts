import { type StoredField, namesOf } from '@bidwell/contract/lib/fields';
import { type Micros, toDollars, toMicros } from '@bidwell/contract/lib/money';
import type { z } from 'zod';
import { json } from '../../../platform/postgres/client.ts';

type Fields = Readonly<Record<string, StoredField>>;
type OrNull<Value> = Extract<Value, null>;

/** The columns of a field in a row. */
type Read<One extends StoredField> = One['stored'] extends 'micros'
  ? Micros | OrNull<z.output<One['output']>>
  : z.output<One['output']>;

/** The value written to the column of a field. */
type Written<One extends StoredField> = One['stored'] extends 'micros'
  ? Micros | OrNull<z.output<One['input']>>
  : One['stored'] extends 'json'
    ? string | OrNull<z.output<One['input']>>
    : z.output<One['input']>;

type Row<All extends Fields> = { readonly [Name in keyof All as All[Name]['column']]: Read<All[Name]> };
type Values<All extends Fields> = { [Name in keyof All]: z.output<All[Name]['output']> };
type Inputs<All extends Fields> = { readonly [Name in keyof All]: z.output<All[Name]['input']> };
type Columns<All extends Fields> = { [Name in keyof All as All[Name]['column']]: Written<All[Name]> };

/** The columns of fields. */
export const columnNames = <All extends Fields>(fields: All): All[keyof All]['column'][] =>
  Object.values(fields).map(({ column }) => column);

/** The fields of a row as in a response. Micros become dollars. */
export function presentColumns<All extends Fields>(fields: All, row: Row<All>): Values<All> {
  const columns: Readonly<Record<string, unknown>> = row;
  return Object.fromEntries(
    Object.entries(fields).map(([name, { column, stored }]) => {
      const value = columns[column];
      return [name, stored === 'micros' && typeof value === 'number' ? toDollars(value) : value];
    }),
  ) as Values<All>;
}

/** The columns of the fields of an input. Dollars become micros. */
export function columnsOfFields<All extends Fields>(fields: All, input: Inputs<All>): Columns<All> {
  return Object.fromEntries(
    namesOf(fields).map((name) => [fields[name]!.column, written(fields[name]!, input[name])]),
  ) as Columns<All>;
}

function written({ stored }: StoredField, value: unknown): unknown {
  if (stored === 'micros' && typeof value === 'number') return toMicros(value);
  return stored === 'json' && value !== null ? json(value) : value;
}
