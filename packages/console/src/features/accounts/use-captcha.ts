import { messages } from '@bidwell/contract/text/messages';
import { useState } from 'react';

/** State of a form's captcha: whether it is verified, the props of `Captcha`, and the check before submitting. */
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
    /** Whether the form may be submitted; otherwise shows an error below the captcha. */
    check(): boolean {
      setError(isVerified ? undefined : messages.captcha);
      return isVerified;
    },
    /** Requests a new captcha: a verified one is valid for one attempt. */
    renew() {
      setVerified(false);
      setAttempt((count) => count + 1);
    },
  };
}
