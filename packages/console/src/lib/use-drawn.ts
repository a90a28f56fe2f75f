import { useState } from 'react';

/**
 * The selection that the figures on the screen are of, such as their range or bucket size. While the figures of another one are fetched,
 * the previous figures stay, and must not be labelled by the new one. `selected` must be the same object while it does not change.
 */
export function useDrawn<Selection>(selected: Selection, isPlaceholderData: boolean): Selection {
  const [drawn, setDrawn] = useState(selected);
  if (!isPlaceholderData && drawn !== selected) setDrawn(selected);
  return isPlaceholderData ? drawn : selected;
}
