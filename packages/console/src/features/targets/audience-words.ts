import type { TargetSettings } from '@bidwell/contract/targets/schema';
import { joinWords } from './phrases.ts';
import type { TargetNames } from './target-names.ts';

const SHORT = 4;

type Audiences = Pick<TargetSettings, 'audience_include' | 'audience_exclude'>;

/** The audiences that a target includes and excludes, as parts of a sentence. Groups without audiences are being filled in. */
export function audiencePhrases(
  { audience_include: groups, audience_exclude: excluded }: Audiences,
  { audience }: Pick<TargetNames, 'audience'>,
): { included: string[]; excluded: string[] } {
  const listed = (uuids: readonly string[]) =>
    joinWords(
      uuids.map((uuid) => `“${audience(uuid)}”`),
      'or',
      SHORT,
    );
  return {
    included: groups.filter((group) => group.length > 0).map((group) => `people in ${listed(group)}`),
    excluded: excluded.length > 0 ? [`not people in ${listed(excluded)}`] : [],
  };
}

/** The audiences of a target for its row in the table; '' for none. */
export function audienceSummary(target: Audiences, names: Pick<TargetNames, 'audience'>): string {
  const { included, excluded } = audiencePhrases(target, names);
  return [...included, ...excluded].join(', ');
}

/** Whether a target has audiences, so that their names are needed. */
export const hasAudiences = ({ audience_include: groups, audience_exclude: excluded }: Audiences): boolean =>
  excluded.length > 0 || groups.some((group) => group.length > 0);
