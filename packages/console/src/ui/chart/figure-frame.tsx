import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Alert, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { failureText } from '../../lib/api/api-error.ts';
import { type Loadable, isKnown } from '../../lib/loadable.ts';
import { SmallButton } from '../layout/buttons.tsx';
import classes from './figure-frame.module.css';

interface FigureFrameProps<Data> {
  figures: Loadable<Data>;
  /** Names the figures at the beginning of a sentence, in the plural. */
  what?: string;
  /** Shown in place of `children` while the figures load, in their final shape. */
  skeleton?: ReactNode;
  /** Shown in place of `children` where a list that is known has nothing. */
  empty?: ReactNode;
  /** Keeps `children` that are no function after a failure: they show the unknown figures themselves. */
  keepsChildren?: boolean;
  /** Which figures are dimmed while they belong to the selection before: all, or only elements with `data-figure`. */
  dims?: 'all' | 'marked';
  /** Leaves the notice of a failure to another frame of the same figures. */
  isSilent?: boolean;
  /** Space around the notice of a failure. */
  noticeMargin?: 'sm' | 0;
  /** The content with the figures; a function gets them once they are known. */
  children: ReactNode | ((data: Data) => ReactNode);
}

/**
 * Frames a list, a table, a chart or tiles by their load state: a skeleton while they load, the failure with a
 * button that tries again, and a mark over dimmed figures while these belong to the previous selection.
 */
export function FigureFrame<Data>({
  figures,
  what = 'The figures',
  skeleton,
  empty,
  keepsChildren = false,
  dims = 'all',
  isSilent = false,
  noticeMargin = 0,
  children,
}: FigureFrameProps<Data>) {
  const { state } = figures;
  return (
    <div
      className={classes['frame']}
      data-stale={state === 'stale' ? dims : undefined}
      aria-busy={state === 'loading' || state === 'stale' || undefined}
    >
      {state === 'stale' && !isSilent && (
        <div className={classes['mark']} role="status">
          {consoleMessages.figuresStale}
        </div>
      )}
      {!isSilent && <FailureNotice figures={figures} what={what} m={noticeMargin} />}
      {framed()}
    </div>
  );

  function framed(): ReactNode {
    const isOfFunction = typeof children === 'function';
    if (state === 'loading' && (skeleton !== undefined || isOfFunction)) return skeleton ?? <ListSkeleton />;
    if (state === 'failed' && (isOfFunction || !keepsChildren)) return null;
    if (!isOfFunction) return <div className={classes['content']}>{children}</div>;
    if (!isKnown(figures)) return null;
    const { data } = figures;
    // That the selection before had none says nothing of the present one.
    if (empty !== undefined && Array.isArray(data) && data.length === 0)
      return state === 'stale' ? (skeleton ?? <ListSkeleton />) : empty;
    return <div className={classes['content']}>{children(data)}</div>;
  }
}

interface ListSkeletonProps {
  rows?: number;
  /** Height of a row, in pixels. */
  height?: number;
  /** At most, in pixels. */
  width?: number | undefined;
}

/** In place of a list that loads: a bar for each of a few rows. */
export function ListSkeleton({ rows = 3, height = 36, width }: ListSkeletonProps) {
  return (
    <Stack gap="xs" maw={width} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  );
}

/** Says that figures could not be loaded or refreshed, with a button that tries again; nothing otherwise. */
export function FailureNotice({ figures, what, m }: { figures: Loadable; what: string; m: 'sm' | 0 }) {
  const { state, error, isFetching, retry } = figures;
  if (state !== 'failed' && state !== 'outdated') return null;
  const isFailed = state === 'failed';
  return (
    <Alert
      role={isFailed ? 'alert' : 'status'}
      variant="light"
      color={isFailed ? 'red' : 'yellow'}
      m={m}
      mb="sm"
      py={8}
      className="no-print"
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {isFailed ? consoleMessages.figuresFailed(what) : consoleMessages.figuresOutdated(what)}{' '}
          {error && failureText(error)}
        </Text>
        <SmallButton loading={isFetching} onClick={retry}>
          Try again
        </SmallButton>
      </Group>
    </Alert>
  );
}
