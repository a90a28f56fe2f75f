import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { startTransition, useEffect, useState } from 'react';

/**
 * True once what was drawn with it can be seen. What waits for it is drawn in small steps, between which the page answers:
 * drawn whole in one go, a screen would not answer for a third of a second.
 */
export function useAfterPaint(): boolean {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => startTransition(() => setIsDue(true)));
    return () => cancelAnimationFrame(frame);
  }, []);
  return isDue;
}

interface AfterPaintProps {
  /** Pixels that its place takes until it is there. */
  height: number;
  children: ReactNode;
}

/** What stands further down a screen, drawn after what is above it. */
export function AfterPaint({ height, children }: AfterPaintProps) {
  return useAfterPaint() ? children : <Skeleton height={height} mb="md" animate={false} />;
}
