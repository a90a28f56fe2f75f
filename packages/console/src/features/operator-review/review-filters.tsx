import {
  type ModerationKind,
  type ModerationQueue,
  moderationKinds,
} from '@bidwell/contract/moderation/schema';
import { Group, Select } from '@mantine/core';
import { type Loadable, isKnown, mapped } from '../../lib/loadable.ts';
import type { ReviewFilter } from '../../entities/moderation/queries.ts';
import { SearchSelect } from '../../ui/form/picker/search-select.tsx';
import { kindNames, kindOf } from './kinds.ts';

interface ReviewFiltersProps {
  filter: ReviewFilter;
  queue: Loadable<ModerationQueue>;
  onChange: (filter: ReviewFilter) => void;
}

/** Filters of the queue: the kind and the company, each with the number that waits. */
export function ReviewFilters({ filter, queue, onChange }: ReviewFiltersProps) {
  const countOf = (kind: ModerationKind) => (isKnown(queue) ? ` (${queue.data.kinds[kind]})` : '');
  return (
    <Group gap="xs" mb="md">
      <Select
        aria-label="Kind"
        placeholder="All kinds"
        w={170}
        clearable
        data={moderationKinds.map((kind) => ({ value: kind, label: kindNames[kind].many + countOf(kind) }))}
        value={filter.kind ?? null}
        onChange={(value) => onChange({ ...filter, kind: kindOf(value ?? undefined) })}
      />
      <SearchSelect
        label="Company"
        hideLabel
        placeholder="All companies"
        emptyText="No company is waiting"
        clearable
        w={180}
        options={mapped(queue, ({ companies }) =>
          companies.map(({ uuid, name, waiting }) => ({
            value: uuid,
            label: name,
            detail: `${waiting} in the queue`,
          })),
        )}
        value={filter.company ?? null}
        onChange={(value) => onChange({ ...filter, company: value ?? undefined })}
      />
    </Group>
  );
}
