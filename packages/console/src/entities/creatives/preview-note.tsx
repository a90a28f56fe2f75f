import { Center, Text } from '@mantine/core';

/** Shown instead of a preview that is not available. */
export function PreviewNote({ text, width, height }: { text: string; width: number; height: number }) {
  return (
    <Center
      w={width}
      maw="100%"
      h={height}
      bg="var(--mantine-color-default-hover)"
      style={{ borderRadius: 'var(--mantine-radius-sm)' }}
    >
      <Text size="xs" c="dimmed" ta="center">
        {text}
      </Text>
    </Center>
  );
}
