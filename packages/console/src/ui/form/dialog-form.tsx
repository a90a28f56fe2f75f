import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * The form of a dialog. React events bubble from the portal of a dialog to the screen it was opened from, whose form
 * must not be submitted with it.
 */
export function DialogForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onSubmit();
      }}
    >
      <Stack>{children}</Stack>
    </form>
  );
}
