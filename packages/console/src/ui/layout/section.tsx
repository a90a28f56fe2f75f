import { Box, Group, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Muted } from './text.tsx';

interface SectionProps {
  title: string;
  /** Description of the section, below its title. */
  description?: ReactNode;
  /** Next to the title, and below the description on a phone. */
  actions?: ReactNode;
  /** Without padding around the content, for tables. */
  flush?: boolean;
  /** Its width at most, px. */
  maxWidth?: number;
  children: ReactNode;
}

/** A part of a page, with a heading. */
export function Section({ title, description, actions, flush = false, maxWidth, children }: SectionProps) {
  return (
    <Paper
      withBorder
      component="section"
      aria-label={title}
      p={flush ? 0 : 'md'}
      {...(maxWidth !== undefined && { maw: maxWidth })}
      // Rows have a background, which would cover the round corners.
      style={{ minWidth: 0, ...(flush && { overflow: 'hidden' }) }}
    >
      <Group
        justify="space-between"
        align={description === undefined ? 'center' : 'start'}
        mb={flush ? 0 : 'sm'}
        p={flush ? 'md' : 0}
        pb={flush ? 'xs' : 0}
      >
        <Box flex={description === undefined ? undefined : '1 1 260px'}>
          <Title order={2} size="h5">
            {title}
          </Title>
          {description !== undefined && <Muted>{description}</Muted>}
        </Box>
        {actions}
      </Group>
      {children}
    </Paper>
  );
}
