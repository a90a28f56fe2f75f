import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** An error message below the control it belongs to, announced by screen readers. */
export function ErrorText({ children }: { children: ReactNode }) {
  return (
    <Text size="xs" c="var(--mantine-color-error)" role="alert">
      {children}
    </Text>
  );
}
