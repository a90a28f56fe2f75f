import { useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * State of a dialog that mounts when it is first opened, for pages with many dialogs. It mounts closed and opens
 * after that, because Mantine stores the focused element when a dialog opens.
 */
export function useLazyDialog() {
  const [isMounted, setIsMounted] = useState(false);
  const [opened, setOpened] = useState(false);
  const open = () => {
    flushSync(() => setIsMounted(true));
    setOpened(true);
  };
  return { isMounted, opened, open, close: () => setOpened(false) };
}
