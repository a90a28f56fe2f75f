import { z } from 'zod';
import { limits } from '../lib/limits.ts';
import { numberText } from '../lib/number-text.ts';
import { HttpUrl, Timestamp, Uuid, description, title } from '../lib/wire.ts';
import { InvalidLine } from './line-faults.ts';
import { audienceMessages } from './messages.ts';

/**
 * Where the ids of an audience come from: `list`, files and calls; `url`, a file that the server fetches daily; `live`, what measurement
 * partners report of an app; `partner`, a measurement partner, which creates the audience and sends all its ids anew each day.
 */
export const AUDIENCE_KINDS = ['list', 'url', 'live', 'partner'] as const;
export const AudienceKind = z.enum(AUDIENCE_KINDS);
export type AudienceKind = z.infer<typeof AudienceKind>;

/** The forms of ids. An id of 32 hexadecimal digits is an MD5 or an id without its hyphens; `auto` reads the others by their length. */
export const ID_FORMS = ['auto', 'plain', 'md5', 'sha1', 'sha256'] as const;
export const IdForm = z.enum(ID_FORMS);
export type IdForm = z.infer<typeof IdForm>;

/** The letters of the ids that were hashed. `either` looks both up. */
export const HASHED_LETTERS = ['either', 'lower', 'upper'] as const;
export const HashedLetters = z.enum(HASHED_LETTERS);
export type HashedLetters = z.infer<typeof HashedLetters>;

/** What an import does with the ids that the audience has. */
export const IMPORT_MODES = ['replace', 'add', 'remove'] as const;
export const ImportMode = z.enum(IMPORT_MODES);
export type ImportMode = z.infer<typeof ImportMode>;

const eventName = z
  .string()
  .trim()
  .min(1, audienceMessages.eventRequired)
  .max(limits.goalEventMax, `At most ${limits.goalEventMax} characters`);
const days = z
  .number('Enter whole days')
  .int('Enter whole days')
  .min(1, 'At least 1 day')
  .max(limits.audienceDaysMax, `At most ${limits.audienceDaysMax} days`);

const nullishDays = days.nullish().transform((given) => given ?? null);
const nullishEvent = eventName.nullish().transform((given) => given ?? null);

/** Who is in a live audience, by what measurement partners report of its app. Days are counted back from now. */
export const AudienceRule = z.discriminatedUnion('type', [
  /** Installed the app in the last days; at any time that is stored without a number. */
  z.object({ type: z.literal('installed'), days: days.nullable() }),
  /** Had an event with revenue in the last days. */
  z.object({ type: z.literal('paid'), days }),
  /** Has the app, and had no event in the last days. */
  z.object({ type: z.literal('inactive'), days }),
  /** Had one event and, if it is given, not another one, in the last days. */
  z.object({ type: z.literal('event'), event: eventName, without: eventName.nullable(), days }),
]);
export type AudienceRule = z.infer<typeof AudienceRule>;

/** {@link AudienceRule} in an input: what may be null may be absent. */
const AudienceRuleInput = z.discriminatedUnion('type', [
  z.object({ type: z.literal('installed'), days: nullishDays }),
  z.object({ type: z.literal('paid'), days }),
  z.object({ type: z.literal('inactive'), days }),
  z.object({ type: z.literal('event'), event: eventName, without: nullishEvent, days }),
]);

/** The fields of an audience that a user sets. */
export const AudienceInput = z.object({
  name: title(),
  description,
  kind: AudienceKind.exclude(['partner'])
    .nullish()
    .transform((kind) => kind ?? 'list'),
  /** Of a live audience, the app whose installs and events count. */
  app_id: Uuid.nullish().transform((uuid) => uuid ?? null),
  rule: AudienceRuleInput.nullish().transform((rule): AudienceRule | null => rule ?? null),
  /** Of an audience with an address, the file that the server fetches each day. */
  source_url: HttpUrl.nullish().transform((url) => url ?? null),
  id_form: IdForm.nullish().transform((form): IdForm => form ?? 'auto'),
  hashed_letters: HashedLetters.nullish().transform((letters): HashedLetters => letters ?? 'either'),
});
export type AudienceInput = z.infer<typeof AudienceInput>;

/** A partial update: absent fields stay as they are. The kind and the app never change. */
export const AudienceUpdate = AudienceInput.omit({ kind: true, app_id: true }).partial();
export type AudienceUpdate = z.infer<typeof AudienceUpdate>;

/** An import of ids. */
export const AudienceImport = z.object({
  uuid: Uuid,
  mode: ImportMode,
  /** What sent the ids. */
  source: z.enum(['upload', 'api', 'url', 'rule', 'partner']),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  /** Percent of the file that was read. */
  progress: z.number().int(),
  /** Lines with a text, without the header. */
  lines: z.number().int(),
  /** Ids that were read, with repeated ones. */
  ids: z.number().int(),
  duplicates: z.number().int(),
  invalid: z.number().int(),
  /** The first lines without a usable id. Their text is not stored. */
  invalid_lines: z.array(InvalidLine),
  size_before: z.number().int(),
  size_after: z.number().int(),
  /** Why it failed, in a sentence; the audience is as it was then. */
  error: z.string().nullable(),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
});
export type AudienceImport = z.infer<typeof AudienceImport>;

/** An entity that uses an audience. */
export const AudienceUse = z.object({
  type: z.enum(['adset', 'target']),
  uuid: Uuid,
  name: z.string(),
  is_archived: z.boolean(),
  /** True for a target that no ad set uses: it looks up no one. */
  is_idle: z.literal(true).optional(),
});
export type AudienceUse = z.infer<typeof AudienceUse>;

export const Audience = z.object({
  uuid: Uuid,
  name: z.string(),
  description: z.string(),
  kind: AudienceKind,
  app: z.object({ uuid: Uuid, name: z.string() }).nullable(),
  rule: AudienceRule.nullable(),
  source_url: z.string().nullable(),
  id_form: IdForm,
  hashed_letters: HashedLetters,
  /** Whether the server made it as the audience of the people who have the app. */
  is_installed: z.boolean(),
  /** `empty` has no ids, `importing` has an import under way, `failed` is as it was before the last import, which failed. */
  state: z.enum(['empty', 'importing', 'ready', 'failed']),
  /** Number of ids. */
  size: z.number().int(),
  /** The hash of the stored ids; null without ids. */
  id_hash: z.enum(['md5', 'sha1', 'sha256']).nullable(),
  refreshed_at: Timestamp.nullable(),
  last_import: AudienceImport.nullable(),
  /** Look-ups for bids, of the last whole 24 hours from a first look-up; null until there are any. */
  matches: z
    .object({
      /** Bid requests in which a person was looked up in the audience. */
      look_ups: z.number().int(),
      /** Look-ups that found the person. */
      found: z.number().int(),
      /** Different people who were found, estimated: in two of three cases to 2.3 %. */
      people: z.number().int(),
      /** The match rate: these people in percent of the ids of the audience; null for an audience without ids. */
      percent: z.number().nullable(),
      from: Timestamp,
      to: Timestamp,
    })
    .nullable(),
  used_by: z.array(AudienceUse),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Audience = z.infer<typeof Audience>;

/** POST /audience/:uuid/upload: begins an upload in parts. */
export const UploadInput = z.object({
  mode: ImportMode.default('replace'),
  /** Bytes of the whole file. */
  bytes: z
    .number()
    .int()
    .min(1, audienceMessages.fileEmpty)
    .max(limits.audienceFileBytesMax, `At most ${numberText(limits.audienceFileBytesMax)} bytes`),
});
export type UploadInput = z.infer<typeof UploadInput>;

/** An upload under way. */
export const AudienceUpload = z.object({
  uuid: Uuid,
  mode: ImportMode,
  bytes: z.number().int(),
  /** Bytes that the server has; the next part begins here. */
  received: z.number().int(),
  /** The import of the finished upload. */
  import: AudienceImport.nullable(),
  /** After this time an unfinished upload is given up. */
  expires_at: Timestamp,
});
export type AudienceUpload = z.infer<typeof AudienceUpload>;

/** An advertising id or a hash of one, perhaps in braces or quotes as files have them. */
const ID_SHAPE =
  /^[\s"'{]*(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{32}|[\da-f]{40}|[\da-f]{64})[\s"'}]*$/i;
/** Entries without an id that a response names at most. */
const WRONG_NAMED_MAX = 10;

/** POST /audience/:uuid/ids: adds, removes or replaces ids. With an entry that is no id, none of them is imported. */
export const IdsInput = z.object({
  mode: z.enum(['replace', 'add', 'remove']),
  ids: z
    .array(z.string().max(200))
    .min(1, audienceMessages.idsRequired)
    .max(limits.audienceIdsMax, audienceMessages.tooManyIds(limits.audienceIdsMax))
    .superRefine((ids, context) => {
      const wrong = [...ids.entries()].filter(([, id]) => !ID_SHAPE.test(id)).slice(0, WRONG_NAMED_MAX);
      for (const [index, id] of wrong)
        context.addIssue({ code: 'custom', path: [index], message: audienceMessages.noId(id) });
    })
    .describe('Advertising ids, or MD5, SHA-1 or SHA-256 hashes of them, all of one kind.'),
});
export type IdsInput = z.infer<typeof IdsInput>;
