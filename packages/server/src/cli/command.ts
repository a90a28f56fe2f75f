import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { type OperatorClient, OperatorError } from './client.ts';

/** A command of the operator's command line. */
export interface Command {
  usage: string;
  summary: string;
  run(client: OperatorClient, args: string[]): Promise<void>;
}

/** The parsed arguments of a command. */
interface Arguments {
  positionals: string[];
  options: Readonly<Record<string, string | undefined>>;
  /** The value of an option that was declared as required. */
  required(name: string): string;
}

/**
 * Parses `--name value` options. Throws OperatorError where one of `required` is missing, and TypeError for an unknown
 * option.
 */
export function optionsOf(args: string[], required: string[], optional: string[] = []): Arguments {
  const names = [...required, ...optional];
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  });
  const options = new Map(Object.entries(values).map(([name, value]) => [name, String(value)]));
  const valueOf = (name: string): string => {
    const value = options.get(name);
    if (value === undefined) throw new OperatorError(`--${name} is missing.`);
    if (value.trim() === '') throw new OperatorError(`--${name} is empty.`);
    return value;
  };
  for (const name of required) valueOf(name);
  return { options: Object.fromEntries(options), positionals, required: valueOf };
}

/** The first positional argument. Throws OperatorError if there is none. */
export function only(positionals: string[], what: string): string {
  const [value] = positionals;
  if (!value) throw new OperatorError(`Which ${what}? Give its id.`);
  return value;
}

/** Parses a positive amount of dollars. Throws OperatorError for anything else. */
export function amountOf(text: string): number {
  const amount = Number(text);
  if (!(amount > 0 && Number.isFinite(amount)))
    throw new OperatorError(`"${text}" is not an amount in dollars.`);
  return amount;
}

/** Parses a body before it is sent. Throws OperatorError with the message of its first invalid field. */
export function bodyOf<Schema extends z.ZodType>(schema: Schema, values: unknown): z.output<Schema> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  throw new OperatorError(parsed.error.issues[0]?.message ?? 'The settings are not valid.');
}
