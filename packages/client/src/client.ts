import { type Calls, calls } from './calls.ts';
import type { MatchingCall } from './etag.ts';
import { type Call, type ChangeOptions, type ClientOptions, type SendOptions, send } from './send.ts';

export { BidwellError, type FieldError } from './error.ts';
export { paginate } from './paginate.ts';
export type { Calls } from './calls.ts';
export { type MatchingCall, etagInList, etagOf } from './etag.ts';
export type { ChangeOptions, ClientOptions, SendOptions } from './send.ts';

/** What a call takes: its path parameters, query, and body or form. */
export type InputOf<Name extends keyof Calls> = Omit<Calls[Name], 'data'>;
/** What a call answers. */
export type DataOf<Name extends keyof Calls> = Calls[Name]['data'];

/** The options of a call. */
export type OptionsOf<Name extends keyof Calls> = Name extends MatchingCall ? ChangeOptions : SendOptions;

type Method<Name extends keyof Calls> =
  object extends InputOf<Name>
    ? (input?: InputOf<Name>, options?: OptionsOf<Name>) => Promise<DataOf<Name>>
    : (input: InputOf<Name>, options?: OptionsOf<Name>) => Promise<DataOf<Name>>;

/** A method for each call of the API. */
export type BidwellClient = { readonly [Name in keyof Calls]: Method<Name> };

/**
 * Creates a client for a server and an API key. Each method resolves to the data of the response, of files to the response itself,
 * and throws {@link BidwellError}. Calls that read, and those that create, which have an idempotency key, are sent again after
 * 429, 503 and lost connections, at the time that the server says.
 */
export function createClient(options: ClientOptions): BidwellClient {
  const methods = Object.entries(calls).map(([name, call]): [string, unknown] => [
    name,
    async (input?: object, more?: ChangeOptions) =>
      send({ name, ...call } satisfies Call, options, input, more),
  ]);
  return Object.fromEntries(methods) as BidwellClient;
}
