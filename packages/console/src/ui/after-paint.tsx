import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { startTransition, useEffect, useState } from 'react';

interface AfterPaintProps {
  /** Pixels that its place takes until it is there. */
  height: number;
  children: ReactNode;
}

/**
 * What stands further down a screen: drawn once what is above it can be seen, in small steps between which the page answers.
 * A screen drawn whole in one go would not answer for a third of a second.
 */
export function AfterPaint({ height, children }: AfterPaintProps) {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => startTransition(() => setIsDue(true)));
    return () => cancelAnimationFrame(frame);
  }, []);
  return isDue ? children : <Skeleton height={height} mb="md" animate={false} />;
}
