import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

/**
 * Returns a function that tells whether the component is mounted and its path is still the current one. Check it
 * before navigating after an async call: a user who has left the screen must not be redirected.
 */
export function useIsHere(): () => boolean {
  const { history } = useRouter();
  const [path] = useState(history.location.pathname);
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return () => mounted.current && history.location.pathname === path;
}
