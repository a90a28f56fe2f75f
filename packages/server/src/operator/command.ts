import { parseArgs } from 'node:util';
import type { OperatorClient } from './client.ts';
import { OperatorError } from './client.ts';

/** A command of the operator's command line. */
export interface Command {
  usage: string;
  summary: string;
  run(client: OperatorClient, args: string[]): Promise<void>;
}

type Options = Record<string, string | undefined>;

/**
 * Parses `--name value` options. Throws OperatorError where one of `required` is missing, and TypeError for an unknown
 * option.
 */
export function optionsOf(
  args: string[],
  required: string[],
  optional: string[] = [],
): { options: Options; positionals: string[] } {
  const names = [...required, ...optional];
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  });
  const missing = required.find((name) => !values[name]);
  if (missing) throw new OperatorError(`--${missing} is missing.`);
  return { options: values as Options, positionals };
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
  if (!(amount > 0 && Number.isFinite(amount))) throw new OperatorError(`"${text}" is no amount of dollars.`);
  return amount;
}
