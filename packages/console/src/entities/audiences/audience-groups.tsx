import { Group, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
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
  // A new group is shown before it has an audience, and is no value yet.
  const [isAdding, setAdding] = useState(false);
  const shown = value.map((group) => [...group]);
  if (isAdding || shown.length === 0) shown.push([]);
  const setGroup = (at: number, uuids: string[]) => {
    if (at === value.length) setAdding(false);
    onChange(shown.map((group, index) => (index === at ? uuids : group)).filter((group) => group.length > 0));
  };
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
          <SmallButton leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
            And in another audience
          </SmallButton>
        </Group>
      )}
      {value.length > 0 && (
        <Caption>
          People who cannot be looked up are left out: they have no id, or do not allow the look-up.
        </Caption>
      )}
    </Stack>
  );
}
