import { useState } from 'react';
import type { TimeGroup } from './format/dates.ts';

/**
 * The bucket size of the figures on the screen. While those of another size are fetched, the previous figures stay,
 * and their points must not be labelled by the new size.
 */
export function useDrawnGroup<Group extends TimeGroup | undefined>(
  selected: Group,
  isPlaceholderData: boolean,
): Group {
  const [drawn, setDrawn] = useState(selected);
  if (!isPlaceholderData && drawn !== selected) setDrawn(selected);
  return isPlaceholderData ? drawn : selected;
}
