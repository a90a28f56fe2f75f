import { Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { SecondaryButton } from './buttons.tsx';

interface CopyableValueProps {
  label: string;
  value: string;
  /** Accessible name of the button. */
  copyLabel: string;
}

/** A long value, such as a URL, with a button that copies it. */
export function CopyableValue({ label, value, copyLabel }: CopyableValueProps) {
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <SecondaryButton size="compact-xs" onClick={copy} aria-label={copyLabel}>
              {copied ? 'Copied' : 'Copy'}
            </SecondaryButton>
          )}
        </CopyButton>
      </Group>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {value}
      </Code>
    </Stack>
  );
}
