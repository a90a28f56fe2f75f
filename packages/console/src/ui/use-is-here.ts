import { useEffect, useRef } from 'react';

/** Tells whether the component is still on the page: who has left it meanwhile is not to be taken elsewhere by it. */
export function useIsHere(): () => boolean {
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return () => here.current;
}
