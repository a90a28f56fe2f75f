import { Center, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Muted } from './text.tsx';

/** Shown for an empty list: a sentence, an explanation and a button that creates the first item. */
export function EmptyState({ title, text, action }: { title: string; text?: string; action?: ReactNode }) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="xs" maw={420}>
        <Text fw={600}>{title}</Text>
        {text && <Muted ta="center">{text}</Muted>}
        {action}
      </Stack>
    </Center>
  );
}
