import { useCallback, useEffect, useRef } from 'react';

/**
 * A function that stays the same and always calls the newest `callback`: for callbacks that are called long after the
 * render that passed them, when the form has other values.
 */
export function useLatestCallback<Args extends unknown[]>(
  callback: (...args: Args) => void,
): (...args: Args) => void {
  const latest = useRef(callback);
  useEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
