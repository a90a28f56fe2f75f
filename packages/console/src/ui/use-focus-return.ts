import { useEffect, useState } from 'react';

/**
 * Gives the focus back to where it was when the component came, once it goes. For dialogs that are mounted open: the
 * component library's own does so only where it sees the dialog open and close.
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
