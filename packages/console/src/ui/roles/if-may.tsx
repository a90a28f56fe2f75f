import type { ReactNode } from 'react';
import { useMay } from '../../lib/api/use-may.ts';
import classes from './if-may.module.css';

interface IfMayProps {
  permission: Parameters<typeof useMay>[0];
  children: ReactNode;
}

/**
 * Shows its children only to people whose role has a permission, such as the button of a change that the server would refuse to
 * others. Until the role is known it is hidden but takes its space, so that nothing moves for people with the permission.
 */
export function IfMay({ permission, children }: IfMayProps) {
  const may = useMay(permission);
  if (may === undefined) return <div className={classes['unknown']}>{children}</div>;
  return may ? children : null;
}
