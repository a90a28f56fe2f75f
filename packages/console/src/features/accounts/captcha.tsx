import type { CaptchaChallenge } from '@bidwell/contract/accounts/schema';
import { Checkbox, Group, Loader, Paper, Text } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import type { Challenge } from 'altcha-lib/types';
import { readCaptcha, verifyCaptcha } from '../../entities/accounts/log-in.ts';
import { ErrorText } from '../../ui/form/error-text.tsx';

interface CaptchaProps {
  /** Called with true once the captcha is verified, with false when it must be solved again. */
  onVerified(verified: boolean): void;
  /** Increment it when a verified captcha was used, to get a new one. */
  attempt: number;
  error?: string | undefined;
}

/** Renders the captcha that the server requires; nothing when it requires none. */
export function Captcha({ onVerified, attempt, error }: CaptchaProps) {
  const challenge = useChallenge(attempt);
  const kind = challenge?.kind;
  const notifyVerified = useEffectEvent(onVerified);
  useEffect(() => {
    if (kind) notifyVerified(kind === 'off');
  }, [kind]);

  if (challenge?.kind === 'off') return null;
  if (challenge?.kind === 'recaptcha')
    return <Recaptcha key={attempt} siteKey={challenge.site_key} onVerified={onVerified} error={error} />;
  return <ProofOfWork key={attempt} challenge={challenge} onVerified={onVerified} error={error} />;
}

interface ProofOfWorkProps {
  challenge: Extract<CaptchaChallenge, { kind: 'altcha' }> | undefined;
  onVerified(verified: boolean): void;
  error?: string | undefined;
}

type State = 'open' | 'working' | 'done' | 'failed';

function ProofOfWork({ challenge, onVerified, error }: ProofOfWorkProps) {
  const [state, setState] = useState<State>('open');
  const solve = async () => {
    if (!challenge || state === 'working' || state === 'done') return;
    setState('working');
    try {
      await verifyCaptcha(await solveAltcha(challenge.challenge));
      setState('done');
      onVerified(true);
    } catch {
      setState('failed');
    }
  };
  return (
    <Paper withBorder p="sm" radius="md">
      <Group justify="space-between" wrap="nowrap">
        <Checkbox
          label={state === 'done' ? 'Verified' : 'I am not a robot'}
          checked={state === 'done'}
          disabled={!challenge}
          onChange={() => void solve()}
          error={state === 'failed' ? 'That did not work. Please try again.' : error}
        />
        {state === 'working' ? (
          <Loader size="xs" aria-label="Verifying" />
        ) : (
          <Text size="xs">Private captcha</Text>
        )}
      </Group>
    </Paper>
  );
}

interface RecaptchaApi {
  ready(callback: () => void): void;
  render(
    element: HTMLElement,
    options: { sitekey: string; callback(token: string): void; 'expired-callback'(): void },
  ): void;
}

function Recaptcha({
  siteKey,
  onVerified,
  error,
}: {
  siteKey: string;
  onVerified(verified: boolean): void;
  error?: string | undefined;
}) {
  const box = useRef<HTMLDivElement>(null);
  const notifyVerified = useEffectEvent(onVerified);
  useEffect(() => {
    const script = document.createElement('script');
    script.src = 'https://www.google.com/recaptcha/api.js?render=explicit';
    script.addEventListener('load', () => {
      const { grecaptcha } = window as unknown as { grecaptcha: RecaptchaApi };
      grecaptcha.ready(() => {
        if (!box.current) return;
        grecaptcha.render(box.current, {
          sitekey: siteKey,
          callback: (token) => void verifyCaptcha(token).then(() => notifyVerified(true)),
          'expired-callback': () => notifyVerified(false),
        });
      });
    });
    document.head.append(script);
    return () => script.remove();
  }, [siteKey]);
  return (
    <div>
      <div ref={box} />
      {error && <ErrorText>{error}</ErrorText>}
    </div>
  );
}

/**
 * Solves a proof-of-work challenge. Returns the payload for the server: base64 of challenge and solution. Throws when
 * it cannot be solved in time.
 */
async function solveAltcha(challenge: object): Promise<string> {
  const [{ solveChallenge }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/web/pbkdf2'),
  ]);
  const solution = await solveChallenge({ challenge: challenge as Challenge, deriveKey });
  if (!solution) throw new Error(consoleMessages.captchaTooSlow);
  return btoa(JSON.stringify({ challenge, solution }));
}

/** Delay before a failed request is retried. */
const RETRY_MS = 2000;

/**
 * The captcha challenge of an attempt; undefined while loading. Challenges expire, so a page that becomes visible
 * again fetches a new one.
 */
function useChallenge(attempt: number): CaptchaChallenge | undefined {
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
