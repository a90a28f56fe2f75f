import { knownSize, unreachableGroup } from '@bidwell/contract/audiences/choice';
import type { Audience } from '@bidwell/contract/audiences/schema';
import { Alert } from '@mantine/core';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { Caption } from '../../ui/layout/text.tsx';
import { audiencesQuery } from './queries.ts';

/** What chooses audiences. */
export type AudienceUser = 'ad set' | 'target';

const whose = (of: AudienceUser): string => (of === 'ad set' ? 'The ad set makes' : 'Its ad sets make');

/** What to know of a group of included audiences that has no people, or whose size is not known; null for nothing. Pure. */
export function groupNote(
  group: readonly string[],
  audiences: readonly Audience[],
  of: AudienceUser,
): { text: string; isWarning: boolean } | null {
  const byUuid = new Map(audiences.map((audience) => [audience.uuid, audience]));
  const sizeOf = (uuid: string) => {
    const audience = byUuid.get(uuid);
    return audience ? knownSize(audience) : null;
  };
  const found = unreachableGroup({ include: [group], exclude: [] }, sizeOf);
  if (!found) return null;
  if (found.because === 'empty')
    return {
      isWarning: true,
      text:
        group.length === 1
          ? `This audience has no people yet. ${whose(of)} no bids until it has some.`
          : `These audiences have no people yet. ${whose(of)} no bids until one of them has some.`,
    };
  return {
    isWarning: false,
    text:
      group.length === 1
        ? `The size of this audience is not known yet. ${whose(of)} no bids until it has people.`
        : `None of these audiences is known to have people yet. ${whose(of)} no bids until one of them has some.`,
  };
}

/** Says below a group of included audiences that it has no people, or that its size is not known. */
export function GroupNote({ group, of }: { group: readonly string[]; of: AudienceUser }) {
  const audiences = knownData(useLoadable(audiencesQuery));
  const note = audiences && group.length > 0 ? groupNote(group, audiences, of) : null;
  if (!note) return null;
  if (!note.isWarning) return <Caption>{note.text}</Caption>;
  return (
    <Alert color="orange" variant="light" p="xs" role="status">
      {note.text}
    </Alert>
  );
}
