import { Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A framed group of fields in a form. */
export function FormSection({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section">
      <Stack>
        {title && (
          <Text component="h2" fw={600} m={0}>
            {title}
          </Text>
        )}
        {children}
      </Stack>
    </Paper>
  );
}
