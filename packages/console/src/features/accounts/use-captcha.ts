import { messages } from '@bidwell/contract/messages';
import { useState } from 'react';

/** The captcha of a form: whether it is verified, what `Captcha` takes, and what submitting does with it. */
export function useCaptcha() {
  const [isVerified, setVerified] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [error, setError] = useState<string>();
  return {
    props: {
      attempt,
      error,
      onVerified(verified: boolean) {
        setVerified(verified);
        if (verified) setError(undefined);
      },
    },
    /** Whether the form may be sent; says so beneath the captcha where it may not. */
    check(): boolean {
      setError(isVerified ? undefined : messages.captcha);
      return isVerified;
    },
    /** Asks for another one: a verified captcha is good for one attempt. */
    renew() {
      setVerified(false);
      setAttempt((count) => count + 1);
    },
  };
}
