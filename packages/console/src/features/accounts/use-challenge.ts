import type { CaptchaChallenge } from '@bidwell/contract/account';
import { useEffect, useState } from 'react';
import { askCaptcha } from '../../lib/log-in.ts';

/** Delay before a failed request is retried. */
const RETRY_MS = 2000;

/**
 * The captcha challenge of an attempt; undefined while loading. Challenges expire, so a page that becomes visible
 * again fetches a new one.
 */
export function useChallenge(attempt: number): CaptchaChallenge | undefined {
  const [asked, setAsked] = useState<{ attempt: number; challenge: CaptchaChallenge }>();
  useEffect(() => {
    let left = false;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      clearTimeout(retry);
      try {
        const challenge = await askCaptcha();
        if (!left) setAsked({ attempt, challenge });
      } catch {
        if (!left) retry = setTimeout(() => void ask(), RETRY_MS);
      }
    };
    const askAgain = () => {
      if (document.visibilityState === 'visible') void ask();
    };
    void ask();
    document.addEventListener('visibilitychange', askAgain);
    return () => {
      left = true;
      clearTimeout(retry);
      document.removeEventListener('visibilitychange', askAgain);
    };
  }, [attempt]);
  return asked?.attempt === attempt ? asked.challenge : undefined;
}
