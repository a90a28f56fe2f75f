import type { CallArgs, Endpoint } from '@bidwell/contract/lib/endpoint';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type OperatorClient, OperatorError, type RespondingWith } from './client.ts';

/** A command of the operator's command line. */
export interface Command {
  /** The arguments after the name, as in the help. */
  usage: string;
  summary: string;
  run(client: OperatorClient, args: string[]): Promise<void>;
}

type Value = string | number | boolean | null;

/** JSON Schema of a field that an option sets. */
interface Field {
  type?: string;
  enum?: string[];
  /** For a field that may be null. */
  anyOf?: [Field, { type: 'null' }];
}

/** The usage and the action of a command. */
interface Parts<Options extends z.ZodType> {
  /** The entity whose id is its argument; with leading dashes it is an option. */
  of?: string;
  /** Its options are the fields of this schema. */
  options?: Options;
  /** Fields that are not options. */
  sets?: Readonly<Record<string, Value>>;
  summary: string;
  run(client: OperatorClient, options: z.output<Options>, of: string): Promise<void>;
}

/**
 * A command whose options, checks and help come from a schema. It throws OperatorError for a missing or
 * invalid value, and TypeError for an unknown option.
 */
export function command<Options extends z.ZodType = z.ZodObject>(parts: Parts<Options>): Command {
  const { of = '', options: schema = z.object({}), sets = {}, summary, run } = parts;
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const idOption = of.startsWith('--') ? of.slice(2) : undefined;
  const fields = new Map(
    Object.entries({ ...(idOption && { [idOption]: { type: 'string' } }), ...json.properties }) as [
      string,
      Field,
    ][],
  );
  for (const name of Object.keys(sets)) fields.delete(name);
  const required = [idOption, ...(json.required ?? [])].filter(
    (name) => name !== undefined && fields.has(name),
  ) as string[];
  const usage = [...fields].map(([name, field]) =>
    required.includes(name) ? `--${dashed(name)} ${formOf(field)}` : `[--${dashed(name)} ${formOf(field)}]`,
  );
  return {
    usage: [...(of && !idOption ? [of.toUpperCase()] : []), ...usage].join(' '),
    summary,
    async run(client, args) {
      const { values, positionals, tokens } = parseArgs({
        args,
        allowPositionals: true,
        tokens: true,
        options: Object.fromEntries(
          [...fields.keys()].map((name) => [dashed(name), { type: 'string' as const }]),
        ),
      });
      const names = tokens.filter((token) => token.kind === 'option').map((token) => token.name);
      const repeated = names.find((name, index) => names.indexOf(name) < index);
      if (repeated) throw new OperatorError(`--${repeated} is given more than once.`);
      const given = new Map(
        Object.entries(values).map(([name, value]) => [name.replaceAll('-', '_'), String(value)]),
      );
      for (const name of required) {
        if (!given.has(name)) throw new OperatorError(`--${dashed(name)} is missing.`);
        if (given.get(name)!.trim() === '') throw new OperatorError(`--${dashed(name)} is empty.`);
      }
      const id = idOption ? given.get(idOption)! : (positionals[0] ?? '');
      const surplus = positionals[of && !idOption ? 1 : 0];
      if (surplus) throw new OperatorError(`"${surplus}" is an argument too many.`);
      if (of && !id) throw new OperatorError(`Which ${of}? Give its id.`);
      const input = [...given].map(([name, text]) => [name, valueOf(dashed(name), text, fields.get(name)!)]);
      const options = checked(schema, { ...Object.fromEntries(input), ...sets }) as z.output<Options>;
      try {
        await run(client, options, id);
      } catch (error) {
        throw error instanceof OperatorError ? withOptions(error, fields) : error;
      }
    },
  };
}

/** Names the options that set the fields which the server did not accept. */
function withOptions(error: OperatorError, options: ReadonlyMap<string, Field>): OperatorError {
  const named = error.fields.filter((field) => options.has(field)).map((field) => `--${dashed(field)}`);
  return named.length === 0 ? error : new OperatorError(`${error.message} (${named.join(', ')})`);
}

const dashed = (name: string) => name.replaceAll('_', '-');

function formOf({ type, enum: values, anyOf }: Field): string {
  if (anyOf) return `${formOf(anyOf[0])}|none`;
  return values?.join('|') ?? { boolean: 'true|false', string: 'TEXT' }[type ?? ''] ?? 'N';
}

function valueOf(option: string, text: string, { type, enum: values, anyOf }: Field, none = ''): Value {
  if (anyOf) return text === 'none' ? null : valueOf(option, text, anyOf[0], ', or none');
  if (values && !values.includes(text))
    throw new OperatorError(`--${option} is one of ${values.join(', ')}${none}.`);
  if (type === 'boolean' && text !== 'true' && text !== 'false')
    throw new OperatorError(`--${option} is true or false${none}.`);
  if (type === 'integer' && !/^\d+$/.test(text))
    throw new OperatorError(`--${option} is a whole number in digits, such as 500${none}.`);
  if (type === 'number' && !(Number(text) > 0 && Number.isFinite(Number(text))))
    throw new OperatorError(`"${text}" is not an amount in dollars.`);
  return type === 'boolean' ? text === 'true' : type === 'string' ? text : Number(text);
}

/**
 * Parses values before they are sent. Throws OperatorError with the message of the first invalid field, which is called by
 * its option or as `nameOf` says.
 */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  values: unknown,
  nameOf = (field: string) => `--${dashed(field)}`,
): z.output<Schema> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const { message = 'The settings are not valid.', path = [] } = parsed.error.issues[0] ?? {};
  const [field] = path;
  throw new OperatorError(typeof field === 'string' ? `${nameOf(field)}: ${message}` : message);
}

type Sent<E extends Endpoint> = E['body'] extends z.ZodType ? z.output<E['body']> : object;

/** A command that makes one call, and prints a line or rows. Its options are the fields of the call's body or query. */
export function calling<E extends Endpoint, Data>(
  endpoint: E & RespondingWith<Data>,
  { of = '', sets = {} }: { of?: string; sets?: Readonly<Record<string, Value>> },
  print: (data: Data, sent: Sent<E>) => string | readonly object[],
): Command {
  const { body, query, params, path, summary } = endpoint;
  const parameter = /:(\w+)/.exec(path)?.[1] ?? '';
  return command({
    of,
    options: body ?? query ?? z.object({}),
    sets,
    summary,
    async run(client, sent, id) {
      const call = {
        [body ? 'body' : 'query']: sent,
        ...(params && { params: checked(params, { [parameter]: id }, () => of) }),
      };
      const printed = print(await client.call(endpoint, ...([call] as CallArgs<E>)), sent as Sent<E>);
      if (printed.length === 0) console.log('None.');
      else if (typeof printed === 'string') console.log(printed);
      else console.table(printed);
    },
  });
}
