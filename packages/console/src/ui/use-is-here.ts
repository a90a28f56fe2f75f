import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

/**
 * Tells whether the person is still at the screen of the component: who has left it meanwhile, or is on the way to another
 * that still loads, is not to be taken elsewhere by it.
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
