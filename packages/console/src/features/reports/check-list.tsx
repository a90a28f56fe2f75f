import { Button, Checkbox, Group, Popover, ScrollArea, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import type { Choice } from './campaign-creatives.ts';

interface CheckListProps {
  /** Name of the selection, for example Metrics. */
  label: string;
  icon: ReactNode;
  choices: readonly Choice[];
  /** Never empty: the last selected value cannot be removed. */
  value: readonly string[];
  onChange: (values: string[]) => void;
}

const SEARCH_FROM = 9;

/** Button with the number of selected values; opens a list to select them. */
export function CheckList({ label, icon, choices, value, onChange }: CheckListProps) {
  const [text, setText] = useState('');
  const searched = text.trim().toLowerCase();
  const found = choices.filter((choice) => choice.label.toLowerCase().includes(searched));
  const all = value.length === choices.length;
  const toggle = (toggled: string) =>
    onChange(
      choices
        .map((choice) => choice.value)
        .filter((one) => (one === toggled ? !value.includes(one) : value.includes(one))),
    );
  return (
    <Popover position="bottom-start" shadow="md" width={280} trapFocus onClose={() => setText('')}>
      <Popover.Target>
        <SecondaryButton leftSection={icon}>
          {label}: {all ? 'all' : value.length}
          {all ? '' : ` of ${choices.length}`}
        </SecondaryButton>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        {choices.length >= SEARCH_FROM && (
          <TextInput
            aria-label={`Search ${label.toLowerCase()}`}
            placeholder="Search"
            size="xs"
            mb="xs"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <ScrollArea.Autosize mah={280} type="auto">
          <Stack gap={6} role="group" aria-label={label} p={4}>
            {found.map((choice) => (
              <Checkbox
                key={choice.value}
                size="xs"
                label={choice.label}
                checked={value.includes(choice.value)}
                disabled={value.length === 1 && value[0] === choice.value}
                onChange={() => toggle(choice.value)}
              />
            ))}
            {found.length === 0 && <Caption>Nothing matches.</Caption>}
          </Stack>
        </ScrollArea.Autosize>
        <Group gap={4} pt="xs">
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            disabled={all}
            onClick={() => onChange(choices.map((choice) => choice.value))}
          >
            All
          </Button>
          {searched !== '' && found.length > 0 && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              onClick={() => onChange(found.map((choice) => choice.value))}
            >
              Only these {found.length}
            </Button>
          )}
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
