import { useState } from 'react';
import type { TimeGroup } from './dates.ts';

/**
 * The group that the figures on the screen are gathered by: while those of another group are fetched, the ones of before
 * stay, and their points must not be given the names of the new group.
 */
export function useDrawnGroup<Group extends TimeGroup | undefined>(
  chosen: Group,
  isPlaceholderData: boolean,
): Group {
  const [drawn, setDrawn] = useState(chosen);
  if (!isPlaceholderData && drawn !== chosen) setDrawn(chosen);
  return isPlaceholderData ? drawn : chosen;
}
