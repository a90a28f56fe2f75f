import { CopyButton, Text, Tooltip, UnstyledButton } from '@mantine/core';

/** A text, such as an id, that a click copies. Long ones are cut in the middle unless `full`. */
export function CopyText({ value, label, full = false }: { value: string; label: string; full?: boolean }) {
  const shown = !full && value.length > 18 ? `${value.slice(0, 8)}…${value.slice(-6)}` : value;
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${label}`}>
          <UnstyledButton onClick={copy} aria-label={`Copy ${label} ${shown}`}>
            <Text size="xs" c="dimmed" ff="monospace">
              {shown}
            </Text>
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  );
}
