import { Anchor, Group, Loader } from '@mantine/core';
import type { ReactNode } from 'react';

/** Small actions below a field, side by side. */
export function FieldActions({ children }: { children: ReactNode }) {
  return (
    <Group gap="md" mt={4}>
      {children}
    </Group>
  );
}

interface FieldActionProps {
  onClick: () => void;
  busy?: boolean;
  children: ReactNode;
}

/** An action below a field, for example New target. */
export function FieldAction({ onClick, busy = false, children }: FieldActionProps) {
  return (
    <Anchor
      component="button"
      type="button"
      size="xs"
      aria-busy={busy}
      onClick={() => {
        if (!busy) onClick();
      }}
    >
      {children} {busy && <Loader size={10} />}
    </Anchor>
  );
}
