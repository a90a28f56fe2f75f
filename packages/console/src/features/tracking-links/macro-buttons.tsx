import { TRACKING_MACROS } from '@bidwell/contract/tracking-links/macros';
import { Button, Group, Stack, Text, Tooltip } from '@mantine/core';

interface MacroButtonsProps {
  /** The field that a macro is inserted into, for example Click URL. */
  into: string;
  onInsert: (macro: string) => void;
}

/** Buttons that insert a macro at the cursor. */
export function MacroButtons({ into, onInsert }: MacroButtonsProps) {
  return (
    <Stack gap={4} role="group" aria-label="Macros">
      <Text size="sm" fw={500}>
        Macros{' '}
        <Text span inherit fw={400} c="dimmed">
          are inserted into the {into} at the cursor
        </Text>
      </Text>
      <Group gap={6}>
        {Object.entries(TRACKING_MACROS).map(([macro, meaning]) => (
          <Tooltip
            key={macro}
            label={meaning}
            multiline
            maw={300}
            events={{ hover: true, focus: true, touch: false }}
          >
            <Button
              variant="default"
              size="compact-xs"
              ff="monospace"
              fw={400}
              onClick={() => onInsert(macro)}
              aria-label={`Insert ${macro}`}
            >
              {`{${macro}}`}
            </Button>
          </Tooltip>
        ))}
      </Group>
    </Stack>
  );
}
