import { Center, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** What stands where there is nothing yet: a sentence, what it is for, and the button that makes the first one. */
export function EmptyState({ title, text, action }: { title: string; text?: string; action?: ReactNode }) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="xs" maw={420}>
        <Text fw={600}>{title}</Text>
        {text && (
          <Text c="dimmed" size="sm" ta="center">
            {text}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  );
}
