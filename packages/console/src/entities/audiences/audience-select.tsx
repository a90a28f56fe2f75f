import { knownSize } from '@bidwell/contract/audiences/choice';
import type { Audience } from '@bidwell/contract/audiences/schema';
import { MultiSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '../../lib/format/format.ts';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { audiencesQuery } from './queries.ts';

interface AudienceSelectProps {
  label: string;
  description?: ReactNode;
  placeholder: string;
  value: readonly string[];
  onChange: (uuids: string[]) => void;
  error?: string | undefined;
  /** The path of the field in its form. */
  path?: string;
}

/** Selects audiences by their name. */
export function AudienceSelect({ value, placeholder, path, ...props }: AudienceSelectProps) {
  const audiences = useLoadable(audiencesQuery);
  const known = knownData(audiences);
  const options = known?.map((audience) => ({ value: audience.uuid, label: labelOf(audience) }));
  return (
    <MultiSelect
      {...props}
      {...(path !== undefined && { 'data-path': path })}
      searchable
      clearable
      value={[...value]}
      // Values without an option are shown by their id.
      data={options ?? value.map((uuid) => ({ value: uuid, label: 'Loading' }))}
      placeholder={value.length === 0 ? placeholder : undefined}
      nothingFoundMessage={
        known?.length === 0 ? 'There are no audiences. Add them under Assets.' : 'No audience has this name'
      }
      maxDropdownHeight={260}
    />
  );
}

/** The name of an audience with its size. */
function labelOf(audience: Audience): string {
  const size = knownSize(audience);
  return `${audience.name} (${size === null ? 'size not known yet' : formatNumber(size)})`;
}
