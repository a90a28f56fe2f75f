import type { CaptchaChallenge } from '@bidwell/contract/account';
import { useEffect, useState } from 'react';
import { askCaptcha } from '../../lib/log-in.ts';

/** A server that is away is asked again after this long. */
const RETRY_MS = 2000;

/**
 * The captcha that the server wants solved, another for every attempt; undefined until it is known. Challenges do not last,
 * so a person who comes back to the page gets a new one.
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
