import { type MantineSpacing, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface ErrorTextProps {
  children: ReactNode;
  /** `xs` below a control, `sm` in place of what could not be read. */
  size?: 'xs' | 'sm';
  mt?: MantineSpacing;
}

/** An error message below the control or in the place it belongs to, announced by screen readers, readable in both colour schemes. */
export function ErrorText({ children, size = 'xs', mt }: ErrorTextProps) {
  return (
    <Text size={size} c="var(--mantine-color-error)" role="alert" {...(mt && { mt })}>
      {children}
    </Text>
  );
}
