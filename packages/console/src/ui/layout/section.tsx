import { Group, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  actions?: ReactNode;
  /** Without padding around the content, for tables. */
  flush?: boolean;
  children: ReactNode;
}

/** A part of a page, with a heading. */
export function Section({ title, actions, flush = false, children }: SectionProps) {
  return (
    <Paper
      withBorder
      component="section"
      aria-label={title}
      p={flush ? 0 : 'md'}
      // Rows have a background, which would cover the round corners.
      style={{ minWidth: 0, ...(flush && { overflow: 'hidden' }) }}
    >
      <Group justify="space-between" mb={flush ? 0 : 'sm'} p={flush ? 'md' : 0} pb={flush ? 'xs' : 0}>
        <Title order={2} size="h5">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Paper>
  );
}
