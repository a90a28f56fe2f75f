import { useEffect, useState } from 'react';

const RENEWED_MS = 30_000;

/** The time in milliseconds, renewed every half minute: for ages. */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), RENEWED_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
