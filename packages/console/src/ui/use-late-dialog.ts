import { useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * State of a dialog that mounts when it is first opened, for pages with many dialogs. It mounts closed and opens
 * after that, because Mantine stores the focused element when a dialog opens.
 */
export function useLateDialog() {
  const [isThere, setIsThere] = useState(false);
  const [opened, setOpened] = useState(false);
  const open = () => {
    flushSync(() => setIsThere(true));
    setOpened(true);
  };
  return { isThere, opened, open, close: () => setOpened(false) };
}
