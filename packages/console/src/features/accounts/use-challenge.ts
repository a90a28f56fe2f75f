import type { CaptchaChallenge } from '@bidwell/contract/accounts/schema';
import { useEffect, useState } from 'react';
import { readCaptcha } from '../../entities/accounts/log-in.ts';

/** Delay before a failed request is retried. */
const RETRY_MS = 2000;

/**
 * The captcha challenge of an attempt; undefined while loading. Challenges expire, so a page that becomes visible
 * again fetches a new one.
 */
export function useChallenge(attempt: number): CaptchaChallenge | undefined {
  const [loaded, setLoaded] = useState<{ attempt: number; challenge: CaptchaChallenge }>();
  useEffect(() => {
    let unmounted = false;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const load = async () => {
      clearTimeout(retry);
      try {
        const challenge = await readCaptcha();
        if (!unmounted) setLoaded({ attempt, challenge });
      } catch {
        if (!unmounted) retry = setTimeout(() => void load(), RETRY_MS);
      }
    };
    const reloadWhenVisible = () => {
      if (document.visibilityState === 'visible') void load();
    };
    void load();
    document.addEventListener('visibilitychange', reloadWhenVisible);
    return () => {
      unmounted = true;
      clearTimeout(retry);
      document.removeEventListener('visibilitychange', reloadWhenVisible);
    };
  }, [attempt]);
  return loaded?.attempt === attempt ? loaded.challenge : undefined;
}
