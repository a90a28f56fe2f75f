import { Group, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { SmallButton } from '../../ui/layout/buttons.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { type AudienceUser, GroupNote } from './audience-note.tsx';
import { AudienceSelect } from './audience-select.tsx';

interface AudienceGroupsProps {
  /** Audiences by group: a person has to be in one of each. */
  value: readonly (readonly string[])[];
  onChange: (groups: string[][]) => void;
  error?: string | undefined;
  /** The path of the field in its form. */
  path?: string;
  /** What chooses them. */
  of: AudienceUser;
}

/** Selects the audiences that are included, in groups of which the first is always shown. */
export function AudienceGroups({ value, onChange, error, path, of }: AudienceGroupsProps) {
  // A new group is there before it has an audience.
  const shown = value.length > 0 ? value.map((group) => [...group]) : [[]];
  const setGroup = (at: number, uuids: string[]) =>
    onChange(shown.map((group, index) => (index === at ? uuids : group)));
  return (
    <Stack gap="xs">
      {shown.map((group, at) => (
        // Groups have no ids: a group is known by its place.
        // oxlint-disable-next-line react/no-array-index-key
        <Stack key={at} gap={4}>
          {at > 0 && <Caption>and</Caption>}
          <AudienceSelect
            label={at === 0 ? 'Include people in one of' : 'And in one of'}
            placeholder="Everyone"
            value={group}
            onChange={(uuids) => setGroup(at, uuids)}
            error={at === 0 ? error : undefined}
            {...(at === 0 && path !== undefined && { path })}
          />
          <GroupNote group={group} of={of} />
        </Stack>
      ))}
      {shown.at(-1)!.length > 0 && (
        <Group>
          <SmallButton leftSection={<IconPlus size={14} />} onClick={() => onChange([...shown, []])}>
            And in another audience
          </SmallButton>
        </Group>
      )}
      {value.some((group) => group.length > 0) && (
        <Caption>People without an id, and people who do not allow the look-up, are left out.</Caption>
      )}
    </Stack>
  );
}
