import { consoleMessages } from '@bidwell/contract/text/messages';
import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { failureText } from '../../lib/api/api-error.ts';
import type { Figures } from '../../lib/figures.ts';
import classes from './figure-frame.module.css';

interface FigureFrameProps {
  figures: Figures;
  /** Names the figures at the beginning of a sentence, in the plural. */
  what?: string;
  /** Shown in place of `children` while the figures load. */
  skeleton?: ReactNode;
  /** Keeps `children` after a failure: they show the unknown figures themselves. */
  keepsChildren?: boolean;
  /** Which figures are dimmed while they belong to the selection before: all, or only elements with `data-figure`. */
  dims?: 'all' | 'marked';
  /** Leaves the notice of a failure to another frame of the same figures. */
  isSilent?: boolean;
  /** Space around the notice of a failure. */
  noticeMargin?: 'sm' | 0;
  children: ReactNode;
}

/**
 * Frames a table, a chart or tiles by what is known of their figures: a skeleton while they load, the failure with a
 * button that tries again, and a mark over dimmed figures while these belong to the selection before.
 */
export function FigureFrame({
  figures,
  what = 'The figures',
  skeleton,
  keepsChildren = false,
  dims = 'all',
  isSilent = false,
  noticeMargin = 0,
  children,
}: FigureFrameProps) {
  const { state } = figures;
  const isShown = state !== 'failed' || keepsChildren;
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
      {state === 'loading' && skeleton !== undefined
        ? skeleton
        : isShown && <div className={classes['content']}>{children}</div>}
    </div>
  );
}

/** Says that figures could not be loaded or refreshed, with a button that tries again; nothing otherwise. */
export function FailureNotice({ figures, what, m }: { figures: Figures; what: string; m: 'sm' | 0 }) {
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
        <Button size="compact-sm" variant="default" loading={isFetching} onClick={retry}>
          Try again
        </Button>
      </Group>
    </Alert>
  );
}
