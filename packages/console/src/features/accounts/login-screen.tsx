import { Credentials, type FactorKind } from '@bidwell/contract/accounts/schema';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { messages } from '@bidwell/contract/text/messages';
import { Link, useRouter } from '@tanstack/react-router';
import { Anchor } from '@mantine/core';
import { useEffect, useState } from 'react';
import { failureText } from '../../lib/api/api-error.ts';
import { logIn, logInByPasskey } from '../../entities/accounts/log-in.ts';
import { PasskeyButton } from '../../entities/accounts/sign-in/passkey-button.tsx';
import { hasSessionEnded, takeReturnAddress } from '../../lib/api/return-address.ts';
import { userId } from '../../lib/api/session.ts';
import { brand } from '../../lib/brand.ts';
import { toastError } from '../../lib/toast.ts';
import { FormPasswordInput, FormTextInput } from '../../ui/form/uncontrolled-fields.tsx';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import { AccountForm } from './account-form.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { useAccountForm } from './use-account-form.ts';
import { offersPasswordReset } from '../../entities/accounts/password-reset.ts';

/** /login */
export function LoginScreen() {
  const router = useRouter();
  const [awaited, setAwaited] = useState<readonly FactorKind[] | null>(null);
  const [hasEnded] = useState(hasSessionEnded);
  const enter = () => router.history.push(takeReturnAddress(userId()) ?? '/');
  const state = useAccountForm<Credentials>({
    initialValues: { login: '', password: '' },
    schema: Credentials,
    send: async (values) => {
      const factors = await logIn(values);
      if (factors) setAwaited(factors);
      else enter();
    },
    onError: (error) => toastError(new Error(capitalised(failureText(error, messages.tryAgain)))),
  });
  const { form } = state;
  if (awaited)
    return (
      <SecondFactorForm
        factors={awaited}
        onPassed={enter}
        onBack={(reason) => {
          setAwaited(null);
          state.renewCaptcha();
          if (reason) toastError(new Error(reason));
        }}
      />
    );
  return (
    <AccountForm
      title={`Log in to ${brand.name}`}
      text={
        hasEnded ? consoleMessages.sessionOver : 'Buy installs for your apps, and see what each one costs.'
      }
      state={state}
      action="Log in"
      other={{ question: 'New here?', to: '/registration', label: 'Create an account' }}
      ways={<OtherWays onEntered={enter} />}
    >
      <FormTextInput form={form} name="login" label="Login" autoComplete="username" autoFocus />
      <FormPasswordInput form={form} name="password" label="Password" autoComplete="current-password" />
      <ForgotPassword />
    </AccountForm>
  );
}

/** The ways in that need no password. */
function OtherWays({ onEntered }: { onEntered: () => void }) {
  return (
    <>
      <Muted ta="center">or</Muted>
      <PasskeyButton label="Continue with a passkey" send={logInByPasskey} onPassed={onEntered} />
      <SecondaryButton component={Link} to="/sso" fullWidth>
        Continue with single sign-on
      </SecondaryButton>
    </>
  );
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Link to the form that sends a link for a new password; nothing if the server sends no mail. */
function ForgotPassword() {
  const [isOffered, setIsOffered] = useState(false);
  useEffect(() => {
    let isHere = true;
    void offersPasswordReset().then((offered) => isHere && setIsOffered(offered));
    return () => {
      isHere = false;
    };
  }, []);
  if (!isOffered) return null;
  return (
    <Anchor
      component={Link}
      to="/password-reset"
      size="sm"
      underline="always"
      style={{ alignSelf: 'flex-end' }}
    >
      Forgot password?
    </Anchor>
  );
}
