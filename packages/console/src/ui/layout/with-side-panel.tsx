import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './with-side-panel.module.css';

interface WithSidePanelProps {
  children: ReactNode;
  /** Stays in view while the content scrolls. */
  side: ReactNode;
  /** Below the content, and below the panel on a narrow page: the buttons of a form. */
  actions?: ReactNode;
  /** Stacks them on a wide page too, in a drawer. */
  stacked?: boolean;
}

/** Content left and a panel right of it, such as a preview; stacked on a narrow page. */
export function WithSidePanel({ children, side, actions, stacked = false }: WithSidePanelProps) {
  return (
    <div className={stacked ? classes['stacked'] : classes['columns']}>
      {children}
      {/* Scrolls where it is higher than the window, also by keyboard. */}
      <Stack className={stacked ? '' : (classes['side'] ?? '')} tabIndex={stacked ? undefined : 0}>
        {side}
      </Stack>
      {actions !== undefined && <div className={stacked ? '' : (classes['actions'] ?? '')}>{actions}</div>}
    </div>
  );
}
