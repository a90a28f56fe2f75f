import { z } from 'zod';
import { limits } from '../lib/limits.ts';
import { Uuid } from '../lib/wire.ts';
import { audienceMessages } from './messages.ts';

/** What is done with people who have no advertising id, or do not allow their look-up in audiences. */
export const AUDIENCE_WITHOUT_ID = ['bid', 'skip'] as const;
export const AudienceWithoutId = z.enum(AUDIENCE_WITHOUT_ID);
export type AudienceWithoutId = z.infer<typeof AudienceWithoutId>;

const uuids = z.array(Uuid).max(limits.audiencesUsedMax, `At most ${limits.audiencesUsedMax} audiences`);

/** Groups of audiences: a person has to be in one audience of each group, so a group without any would leave everyone out. */
const groups = z
  .array(uuids)
  .max(limits.audienceGroupsMax, `At most ${limits.audienceGroupsMax} groups`)
  .refine((given) => given.every((group) => group.length > 0), audienceMessages.emptyGroup)
  .nullish()
  .transform((given) => (given ?? []).map((group) => [...new Set(group)]));

const list = uuids.nullish().transform((given) => [...new Set(given ?? [])]);

/** A group of the change log, which has names next to the ids, in words: `Payers or Subscribers`. Undefined for another value. */
function loggedGroupText(value: unknown): string | undefined {
  const group = z
    .array(z.object({ name: z.string() }))
    .min(1)
    .safeParse(value);
  return group.data?.map(({ name }) => name).join(' or ');
}

/** The audiences of an ad set or a target. */
export const audienceFields = {
  /** Groups of audiences: a person has to be in one audience of each group. Empty for everyone. */
  audience_include: {
    label: 'Audiences include',
    column: 'audience_include',
    stored: 'json',
    input: groups,
    output: z.array(z.array(Uuid)),
    form: z.array(z.array(z.string())),
    initial: [],
    undo: true,
    example: [],
    text: loggedGroupText,
  },
  /** A person must be in none of these audiences. */
  audience_exclude: {
    label: 'Audiences exclude',
    column: 'audience_exclude',
    stored: 'json',
    input: list,
    output: z.array(Uuid),
    form: z.array(z.string()),
    initial: [],
    undo: true,
    example: [],
  },
  /** What is done with people who cannot be looked up, where audiences are excluded; with included ones they are left out. */
  audience_without_id: {
    label: 'People who cannot be looked up',
    column: 'audience_without_id',
    stored: 'same',
    input: AudienceWithoutId.nullish().transform((given): AudienceWithoutId => given ?? 'bid'),
    output: AudienceWithoutId,
    form: AudienceWithoutId,
    initial: 'bid',
    undo: true,
    example: 'bid',
  },
} as const;

/** Whether people who have the app are left out: the app's own audience of them is excluded. */
export const installedFields = {
  exclude_installed: {
    label: 'Leave out people who have the app',
    column: 'exclude_installed',
    stored: 'same',
    input: z
      .boolean()
      .nullish()
      .transform((given) => given ?? true),
    output: z.boolean(),
    form: z.boolean(),
    initial: true,
    undo: true,
    example: true,
  },
} as const;
