import { Box, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './scroll-frame.module.css';

interface ScrollFrameProps {
  /** Below this width, in pixels, the content scrolls sideways. */
  minWidth: number;
  /** Above this height, in pixels, it scrolls down. */
  maxHeight?: number | undefined;
  className?: string | undefined;
  mt?: string | undefined;
  children: ReactNode;
}

/**
 * Scrolls a table sideways where it is narrow: a shadow lies over each edge behind which there is more, and the keyboard
 * reaches it.
 */
export function ScrollFrame({ minWidth, maxHeight, className = '', mt, children }: ScrollFrameProps) {
  return (
    <Box ref={watchEdges} className={classes['frame']} {...(mt !== undefined && { mt })}>
      <Table.ScrollContainer
        minWidth={minWidth}
        type="native"
        className={className}
        {...(maxHeight !== undefined && { maxHeight, tabIndex: 0 })}
      >
        {children}
      </Table.ScrollContainer>
    </Box>
  );
}

/** A part of a pixel is no more content. */
const ROUNDING = 1;

/** Marks a frame with the edges behind which its first child scrolls on, for all shadows of its table; until it is removed. */
function watchEdges(frame: HTMLElement | null): (() => void) | undefined {
  const scroller = frame?.firstElementChild;
  if (!frame || !(scroller instanceof HTMLElement)) return undefined;
  // It scrolls down.
  const isAlwaysFocusable = scroller.hasAttribute('tabindex');
  const mark = () => {
    const { scrollLeft, clientWidth, scrollWidth } = scroller;
    const isWide = scrollWidth - clientWidth > ROUNDING;
    frame.toggleAttribute('data-more-before', scrollLeft > ROUNDING);
    frame.toggleAttribute('data-more-after', scrollWidth - clientWidth - scrollLeft > ROUNDING);
    if (isWide || isAlwaysFocusable) {
      scroller.tabIndex = 0;
      const name = scroller.querySelector('table')?.ariaLabel ?? 'Scrolls sideways';
      // A section of that name is a landmark already.
      scroller.role = scroller.closest('section')?.ariaLabel === name ? 'group' : 'region';
      scroller.ariaLabel = name;
    } else for (const name of ['tabindex', 'role', 'aria-label']) scroller.removeAttribute(name);
  };
  const sizes = new ResizeObserver(mark);
  for (const element of [scroller, ...scroller.querySelectorAll('table')]) sizes.observe(element);
  scroller.addEventListener('scroll', mark, { passive: true });
  mark();
  return () => {
    sizes.disconnect();
    scroller.removeEventListener('scroll', mark);
  };
}
