import type { MatchingCall } from './etag.ts';
import { calls } from './generated/calls.ts';
import type { paths } from './generated/paths.ts';
import { type ChangeOptions, type ClientOptions, type SendOptions, senderOf } from './send.ts';

export { BidwellError, type FieldError } from './error.ts';
export { type MatchingCall, etagInList, etagOf } from './etag.ts';
export { paginate } from './paginate.ts';
export type { ChangeOptions, ClientOptions, SendOptions } from './send.ts';

/** The name of a call of the API. */
export type CallName = keyof typeof calls;

/** A call in the types of the OpenAPI document. */
type Operation<Name extends CallName> = paths[(typeof calls)[Name]['path']][(typeof calls)[Name]['method']];

type AddressOf<Parameters> = {
  [
    Part in keyof Parameters as Part extends 'path' ? 'params' : Part extends 'query' ? Part : never
  ]: Parameters[Part];
};

type ContentOf<Content> = {
  [Type in keyof Content]: Type extends 'multipart/form-data' ? { form: FormData } : { body: Content[Type] };
}[keyof Content];

/** What a call takes: its path parameters, query, and body or form. */
export type InputOf<Name extends CallName> =
  Operation<Name> extends { parameters: infer Parameters; requestBody?: infer Body }
    ? AddressOf<Parameters> & (Body extends { content: infer Content } ? ContentOf<Content> : unknown)
    : never;

/** The data of a call's response. */
export type DataOf<Name extends CallName> =
  Operation<Name> extends { responses: infer Responses }
    ? Responses[keyof Responses & (200 | 201)] extends {
        content: { 'application/json': { data: infer Data } };
      }
      ? Data
      : Response
    : never;

/** The options of a call. */
export type OptionsOf<Name extends CallName> = Name extends MatchingCall ? ChangeOptions : SendOptions;

type Method<Name extends CallName> =
  object extends InputOf<Name>
    ? (input?: InputOf<Name>, options?: OptionsOf<Name>) => Promise<DataOf<Name>>
    : (input: InputOf<Name>, options?: OptionsOf<Name>) => Promise<DataOf<Name>>;

/** A method for each call of the API. */
// Not over CallName, so that a method has the comment of its call.
export type BidwellClient = { readonly [Name in keyof typeof calls]: Method<Name> };

/**
 * Creates a client for a server and an API key. Each method resolves to the data of the response, of files to the response
 * itself, and throws {@link BidwellError}. Each call is sent again after 429, at the time that the server says; calls that read, and calls that
 * create (with an idempotency key), also after 503 and lost connections.
 */
export function createClient(options: ClientOptions): BidwellClient {
  const send = senderOf(options);
  const methods = Object.entries(calls).map(([name, call]): [string, unknown] => [
    name,
    async (input?: object, more?: ChangeOptions) => send({ name, ...call }, input, more),
  ]);
  return Object.fromEntries(methods) as BidwellClient;
}
