import type { ReactNode } from 'react';
import type { Loadable } from '../../lib/loadable.ts';
import { FigureFrame } from '../chart/figure-frame.tsx';

/** Whether a column states figures of the selected range, in a table whose rows do not depend on it. */
type Columns = readonly { figure?: boolean }[];

const hasMarked = (columns: Columns) => columns.some(({ figure }) => figure);

interface TableFrameProps {
  figures: Loadable | undefined;
  columns: Columns;
  /** Whether the rows are known. */
  hasRows: boolean;
  children: ReactNode;
}

/** Frames a table by the load state of its marked columns, or else of all its rows. */
export function TableFrame({ figures, columns, hasRows, children }: TableFrameProps) {
  if (!figures) return children;
  return (
    <FigureFrame
      figures={figures}
      what={hasRows ? 'The figures' : 'The table'}
      keepsChildren
      dims={hasMarked(columns) ? 'marked' : 'all'}
      noticeMargin="sm"
    >
      {children}
    </FigureFrame>
  );
}

/** The rows to show: that the selection before had none says nothing of the present one. Pure. */
export function shownRows<Row>(
  rows: readonly Row[] | undefined,
  figures: Loadable | undefined,
  columns: Columns,
): readonly Row[] | undefined {
  const isOfBefore = figures?.state === 'stale' && !hasMarked(columns);
  return isOfBefore && rows?.length === 0 ? undefined : rows;
}
