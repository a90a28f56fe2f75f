import { audienceApiMessages } from '@bidwell/contract/audiences/api-messages';
import { type BidMultiplier, audiencesOfMultipliers } from '@bidwell/contract/adsets/multipliers';
import { contradictedGroup } from '@bidwell/contract/audiences/choice';
import { audienceMessages } from '@bidwell/contract/audiences/messages';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { type FieldError, Invalid } from '../../../platform/errors.ts';
import { anyOf } from '../../../platform/postgres/client.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { type LoggedFields, lastLoggedNames } from '../../changes/public.ts';
import { lockKnownAudiences } from './store.ts';

/** The audiences of an ad set or a target, or of an input of one. */
export interface UsedAudiences {
  audience_include?: readonly (readonly string[])[] | undefined;
  audience_exclude?: readonly string[] | undefined;
  bid_multipliers?: readonly BidMultiplier[] | undefined;
}

const FIELDS = ['audience_include', 'audience_exclude', 'bid_multipliers'] as const;

/** The ids of used audiences by field. */
const idsOf = (used: UsedAudiences | null): Record<(typeof FIELDS)[number], readonly string[]> => ({
  audience_include: used?.audience_include?.flat() ?? [],
  audience_exclude: used?.audience_exclude ?? [],
  bid_multipliers: audiencesOfMultipliers(used?.bid_multipliers ?? []),
});

const allIdsOf = (states: readonly (UsedAudiences | null)[]): string[] => [
  ...new Set(states.flatMap((state) => Object.values(idsOf(state)).flat())),
];

/**
 * Throws Invalid where an input names an audience that the company does not have and that was not there `before`. Keeps the audiences
 * from being deleted until the transaction ends.
 */
export async function requireAudiences(
  db: Db,
  companyId: string,
  input: UsedAudiences,
  before: UsedAudiences | null,
): Promise<void> {
  const uuids = allIdsOf([input]);
  if (uuids.length === 0) return;
  const known = await lockKnownAudiences(db, companyId, uuids);
  const [next, previous] = [idsOf(input), idsOf(before)];
  const unknown = FIELDS.flatMap((field) => {
    const uuid = next[field].find((one) => !known.has(one) && !previous[field].includes(one));
    return uuid === undefined ? [] : [{ field, uuid }];
  });
  if (unknown.length === 0) return;
  const names = await lastLoggedNames(
    db,
    companyId,
    'audience',
    unknown.map(({ uuid }) => uuid),
  );
  throw new Invalid(
    unknown.map(({ field, uuid }): FieldError => {
      const name = names.get(uuid);
      return {
        field,
        message: name === undefined ? apiMessages.notFound('Audience') : audienceApiMessages.deleted(name),
      };
    }),
  );
}

/**
 * Throws Invalid where an input includes audiences that are excluded too, by the input or as they were `before`: no bid could match. What
 * was stored so before does not stop other changes.
 */
export function requireNoContradiction(input: UsedAudiences, before: UsedAudiences | null): void {
  const { audience_include: include, audience_exclude: exclude } = input;
  if (include === undefined && exclude === undefined) return;
  const chosen = {
    include: include ?? before?.audience_include ?? [],
    exclude: exclude ?? before?.audience_exclude ?? [],
  };
  if (!contradictedGroup(chosen)) return;
  const isStored =
    before !== null &&
    contradictedGroup({ include: before.audience_include ?? [], exclude: before.audience_exclude ?? [] });
  if (isStored) return;
  const field = exclude === undefined ? 'audience_include' : 'audience_exclude';
  throw new Invalid([{ field, message: audienceMessages.contradiction }]);
}

/** The settings of an ad set of an acquisition campaign that say whose people it leaves out. */
interface InstalledSettings {
  audience_include: readonly (readonly string[])[];
  audience_exclude: readonly string[];
  exclude_installed: boolean;
}

/**
 * Whether an ad set of an acquisition campaign of an app includes only the audience of the people who have the app, in a group, and leaves these
 * people out: no bid could match.
 */
export async function excludesAllIncluded(
  db: Db,
  companyId: string,
  appUuid: string,
  { audience_include: include, audience_exclude: exclude, exclude_installed: leavesOut }: InstalledSettings,
): Promise<boolean> {
  if (!leavesOut || include.length === 0) return false;
  const installed = await db
    .selectFrom('audiences')
    .select('uuid')
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', appUuid)
    .where('is_installed', '=', true)
    .execute();
  const all = [...exclude, ...installed.map(({ uuid }) => uuid)];
  return contradictedGroup({ include, exclude: all }) !== undefined;
}

/**
 * Reads the names of the audiences that states of an ad set or a target use, and returns what adds them to the ids in the logged fields: an audience may be deleted before someone reads the log.
 */
export async function audienceNaming(
  db: Db,
  companyId: string,
  states: readonly (UsedAudiences | null)[],
): Promise<(fields: LoggedFields) => LoggedFields> {
  const uuids = allIdsOf(states);
  if (uuids.length === 0) return (fields) => fields;
  const rows = await db
    .selectFrom('audiences')
    .select(['uuid', 'name'])
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', anyOf(uuids))
    .execute();
  const names = new Map(rows.map(({ uuid, name }) => [uuid, name]));
  const nameOf = (uuid: string) => names.get(uuid) ?? uuid;
  const named = (uuid: string) => ({ uuid, name: nameOf(uuid) });
  return (fields) => {
    const {
      audience_include: groups,
      audience_exclude: excluded,
      bid_multipliers: multipliers,
    } = fields as UsedAudiences;
    return {
      ...fields,
      ...(groups && { audience_include: groups.map((group) => group.map(named)) }),
      ...(excluded && { audience_exclude: excluded.map(named) }),
      ...(multipliers && {
        bid_multipliers: multipliers.map((one) =>
          one.dimension === 'audience' ? { ...one, name: nameOf(one.value) } : one,
        ),
      }),
    };
  };
}
