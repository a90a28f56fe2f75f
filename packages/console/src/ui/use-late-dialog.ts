import { useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * State of a dialog of which a page holds many and opens few: it need not be there before it is first asked for. It is then
 * drawn closed and opened after, since it remembers what had the focus as it opens.
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
