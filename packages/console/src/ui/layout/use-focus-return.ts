import { useEffect, useState } from 'react';

/**
 * Restores the focus on unmount to the element that had it at the first render. For dialogs that are mounted open:
 * Mantine restores the focus only when it sees a dialog open and close.
 */
export function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    },
    [before],
  );
}
