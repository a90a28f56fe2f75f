import { EVENT_NAMES_MAX } from '@bidwell/contract/reports/metrics';
import { Pill, Popover, TagsInput } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { useState } from 'react';
import { mapped, useLoadable } from '../../lib/loadable.ts';
import { eventOptions, labelOfEvent } from '../../entities/measurement/event-options.tsx';
import { measurementQuery } from '../../entities/measurement/queries.ts';
import { UnknownSuggestions } from '../../ui/form/picker/picker-options.tsx';
import type { DateRange } from '../../lib/format/date-presets.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';

const NAME_MAX = 100;

interface EventPickerProps {
  range: DateRange;
  campaignUuid: string | undefined;
  value: readonly string[];
  onChange: (names: string[]) => void;
}

/** Selects in-app events by name, of those in the range or typed, whose figures the report then has as columns. */
export function EventPicker({ range, campaignUuid, value, onChange }: EventPickerProps) {
  const [opened, setOpened] = useState(false);
  const measured = useLoadable({
    ...measurementQuery(campaignUuid ? { campaign_id: campaignUuid } : {}, range),
    enabled: opened,
  });
  const events = mapped(measured, (known) => known.in_app_events);
  return (
    <Popover position="bottom-start" shadow="md" width={300} trapFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        <SecondaryButton leftSection={<IconBolt size={16} />} onClick={() => setOpened((before) => !before)}>
          In-app events: {value.length === 0 ? 'none' : value.length}
        </SecondaryButton>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <TagsInput
          label="In-app events"
          description={
            <>
              Up to {EVENT_NAMES_MAX} names, each with its number, people and cost.{' '}
              <UnknownSuggestions of={events} />
            </>
          }
          placeholder={value.length < EVENT_NAMES_MAX ? 'Choose or type a name' : undefined}
          {...eventOptions(events)}
          renderPill={({ option, onRemove }) => (
            <Pill withRemoveButton onRemove={() => onRemove?.()}>
              {labelOfEvent(events, String(option.value)) ?? option.value}
            </Pill>
          )}
          value={[...value]}
          onChange={(chosen) => onChange(chosen.map((name) => name.slice(0, NAME_MAX)))}
          maxTags={EVENT_NAMES_MAX}
          splitChars={[]}
          acceptValueOnBlur
          clearable
          comboboxProps={{ withinPortal: false }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
