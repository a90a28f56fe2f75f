import type { z } from 'zod';

/**
 * All that the product knows of one field of an entity: the API and its documents, the change log, undo, the database and the
 * forms read it. A description is next to the schema of its entity, such as adsets/fields.ts.
 */
export interface Field {
  /** The label on screen and in the change log. */
  label: string;
  /** Its schema in requests, with the bounds and their messages. */
  input: z.ZodType;
  /** Its schema in responses. */
  output: z.ZodType;
  /** Its value in the examples of the API's documents. */
  example: unknown;
  /** Whether the undo of a change sets its earlier value. */
  undo: boolean;
  /** The bounds of its numbers, which forms name. */
  min?: number;
  max?: number;
  /** The unit of its numbers, which the change log adds; without it, plain numbers. */
  unit?: 'dollars' | 'dollars by name' | 'kB';
  /** The name of no value on screen, such as Unlimited; the change log has it in lower case. */
  none?: string;
  /** The words of a logged value, or of an item of a list; undefined for a value that it does not know. */
  text?: (value: unknown) => string | undefined;
  /** Whether 0 is no value too. */
  zeroIsNone?: boolean;
}

/** A field that a form of the console has. */
export interface FormField extends Field {
  /** Schema of the form's value, which may be incomplete; drafts are validated by it. */
  form: z.ZodType;
  /** The value in a new entity, and in a draft of an earlier release that did not have the field. */
  initial: unknown;
}

/** A field that has a column of its own in the table of its entity. */
export interface StoredField extends Field {
  column: string;
  /** How the column has it: as the API does, as micros in place of dollars, or as JSON. */
  stored: 'same' | 'micros' | 'json';
}

type Fields<One extends Field = Field> = Readonly<Record<string, One>>;
type NamesOf<All extends Fields> = Extract<keyof All, string>;
type Inputs<All extends Fields> = { -readonly [Name in keyof All]: All[Name]['input'] };
type Outputs<All extends Fields> = { -readonly [Name in keyof All]: All[Name]['output'] };
type Examples<All extends Fields> = { -readonly [Name in keyof All]: z.input<All[Name]['output']> };
type Forms<All extends Fields<FormField>> = {
  -readonly [Name in keyof All]: z.ZodDefault<All[Name]['form']>;
};
type FormValues<All extends Fields<FormField>> = {
  -readonly [Name in keyof All]: z.output<All[Name]['form']>;
};

/** The schemas of fields in requests, by name. */
export const inputsOf = <All extends Fields>(fields: All): Inputs<All> =>
  mapFields(fields, ({ input }) => input) as Inputs<All>;

/** The schemas of fields in responses, by name. */
export const outputsOf = <All extends Fields>(fields: All): Outputs<All> =>
  mapFields(fields, ({ output }) => output) as Outputs<All>;

/** The examples of fields, by name. */
export const examplesOf = <All extends Fields>(fields: All): Examples<All> =>
  mapFields(fields, ({ example }) => example) as Examples<All>;

/** The schemas of fields in a form and in its drafts, by name. */
export const formsOf = <All extends Fields<FormField>>(fields: All): Forms<All> =>
  mapFields(fields, ({ form, initial }) => form.default(initial)) as Forms<All>;

/** The form's values of `entity` by field name; fields that it lacks have a new entity's values. */
export const formValuesOf = <All extends Fields<FormField>>(
  fields: All,
  entity: { readonly [Name in keyof All]: z.output<All[Name]['form']> | null } | undefined,
): FormValues<All> => mapFields(fields, ({ initial }, name) => entity?.[name] ?? initial) as FormValues<All>;

/** The names of the fields that an undo sets. */
export const undoneOf = <All extends Fields>(fields: All): NamesOf<All>[] =>
  namesOf(fields).filter((name) => fields[name]!.undo);

/** The names of fields, in their order. */
export const namesOf = <All extends Fields>(fields: All): NamesOf<All>[] =>
  Object.keys(fields) as NamesOf<All>[];

const mapFields = <One extends Field>(
  fields: Fields<One>,
  valueOf: (field: One, name: string) => unknown,
): object => Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valueOf(field, name)]));
