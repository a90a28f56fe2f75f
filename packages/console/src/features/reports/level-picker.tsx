import { DEFAULT_LEVELS, REPORT_LEVELS, type ReportLevel } from '@bidwell/contract/reports/metrics';
import { Button, Divider, Group, Popover, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconBinaryTree2, IconPlus, IconX } from '@tabler/icons-react';
import { IconButton, SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { levelLabels } from './report-columns.ts';
import { LEVELS_MAX } from './report-search.ts';

interface LevelPickerProps {
  value: readonly ReportLevel[];
  onChange: (levels: readonly ReportLevel[]) => void;
}

/** Selects the levels of a report and their order. At least one stays. */
export function LevelPicker({ value, onChange }: LevelPickerProps) {
  const others = REPORT_LEVELS.filter((level) => !value.includes(level));
  const swap = (index: number, other: number) => {
    const next = [...value];
    [next[index], next[other]] = [next[other]!, next[index]!];
    onChange(next);
  };
  return (
    <Popover position="bottom-start" shadow="md" width={280} trapFocus withinPortal>
      <Popover.Target>
        <SecondaryButton
          leftSection={<IconBinaryTree2 size={16} />}
          aria-label={`Levels: ${value.map((level) => levelLabels[level]).join(', ')}`}
          maw="100%"
        >
          {value.map((level) => levelLabels[level]).join(' › ')}
        </SecondaryButton>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <Group justify="space-between" px={4} pb={4}>
          <Text size="sm" fw={600}>
            Levels, outermost first
          </Text>
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => onChange(DEFAULT_LEVELS)}>
            Default
          </Button>
        </Group>
        <Stack gap={2} role="list" aria-label="Selected levels">
          {value.map((level, index) => (
            <Group key={level} gap={2} wrap="nowrap" role="listitem" px={4}>
              <Text size="sm" flex={1}>
                {index + 1}. {levelLabels[level]}
              </Text>
              <IconButton
                disabled={index === 0}
                onClick={() => swap(index, index - 1)}
                aria-label={`Move ${levelLabels[level]} up`}
              >
                <IconArrowUp size={15} />
              </IconButton>
              <IconButton
                disabled={index === value.length - 1}
                onClick={() => swap(index, index + 1)}
                aria-label={`Move ${levelLabels[level]} down`}
              >
                <IconArrowDown size={15} />
              </IconButton>
              <IconButton
                disabled={value.length === 1}
                onClick={() => onChange(value.filter((other) => other !== level))}
                aria-label={`Remove ${levelLabels[level]}`}
              >
                <IconX size={15} />
              </IconButton>
            </Group>
          ))}
        </Stack>
        <Divider my={6} />
        <Group gap={4}>
          {others.map((level) => (
            <SecondaryButton
              key={level}
              size="compact-xs"
              fw={400}
              leftSection={<IconPlus size={12} />}
              disabled={value.length >= LEVELS_MAX}
              onClick={() => onChange([...value, level])}
              aria-label={`Add ${levelLabels[level]}`}
            >
              {levelLabels[level]}
            </SecondaryButton>
          ))}
        </Group>
        {value.length >= LEVELS_MAX && (
          <Caption pt={6} px={4}>
            At most {LEVELS_MAX} levels.
          </Caption>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
