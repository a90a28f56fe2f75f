import { Paper } from '@mantine/core';
import { type ReactNode, startTransition, useEffect, useState } from 'react';

/**
 * True once the first render has been painted. What depends on it renders in a transition, which yields to the event
 * loop: rendered in one task, a screen would block input for a third of a second.
 */
export function useAfterPaint(): boolean {
  const [isPainted, setIsPainted] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => startTransition(() => setIsPainted(true)));
    return () => cancelAnimationFrame(frame);
  }, []);
  return isPainted;
}

interface AfterPaintProps {
  /** Height of the empty frame before that, in pixels. */
  height: number;
  children: ReactNode;
}

/** Defers lower parts of a screen until the parts above them have been painted. */
export function AfterPaint({ height, children }: AfterPaintProps) {
  return useAfterPaint() ? children : <Paper withBorder h={height} mb="md" />;
}
