import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './with-side-panel.module.css';

interface WithSidePanelProps {
  children: ReactNode;
  /** Stays in view while the content scrolls. */
  side: ReactNode;
}

/** Content left and a panel right of it, such as a preview; stacked on a narrow page. */
export function WithSidePanel({ children, side }: WithSidePanelProps) {
  return (
    <div className={classes['columns']}>
      {children}
      <Stack className={classes['side'] ?? ''}>{side}</Stack>
    </div>
  );
}
