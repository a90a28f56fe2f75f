import { Credentials } from '@bidwell/contract/account';
import { messages } from '@bidwell/contract/messages';
import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { logIn } from '../../lib/log-in.ts';
import { takeReturnAddress } from '../../lib/return-address.ts';
import { toastError } from '../../lib/toast.ts';
import { AccountFrame } from './account-frame.tsx';
import { Captcha } from './captcha.tsx';

export function LoginScreen() {
  const router = useRouter();
  const [verified, setVerified] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [captchaError, setCaptchaError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { login: '', password: '' },
    validate: schemaResolver(Credentials, { sync: true }),
  });

  const askForCaptcha = () => setCaptchaError(verified ? undefined : messages.captcha);
  const refuse = (faults: Readonly<Record<string, unknown>>) => {
    askForCaptcha();
    form.getInputNode(Object.keys(faults)[0]!)?.focus();
  };
  const submit = async (values: Credentials) => {
    askForCaptcha();
    if (!verified) return;
    setBusy(true);
    try {
      await logIn(values);
      router.history.push(takeReturnAddress() ?? '/campaigns');
    } catch (error) {
      toastError(capitalised(error), messages.tryAgain);
      // The captcha was good for one try.
      setVerified(false);
      setAttempt((count) => count + 1);
    } finally {
      setBusy(false);
    }
  };

  return (
    <AccountFrame title="Log in to Bidwell" text="Buy installs for your apps, and see what each one costs.">
      <form onSubmit={form.onSubmit((values) => void submit(values), refuse)} noValidate>
        <Stack>
          <TextInput
            label="Login"
            autoComplete="username"
            autoFocus
            {...form.getInputProps('login')}
            key={form.key('login')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            {...form.getInputProps('password')}
            key={form.key('password')}
          />
          <Captcha onVerified={setVerified} attempt={attempt} error={captchaError} />
          <Button type="submit" loading={busy} fullWidth>
            Log in
          </Button>
          <Text size="sm" ta="center">
            New here?{' '}
            <Anchor component={Link} to="/registration" size="sm" underline="always">
              Create an account
            </Anchor>
          </Text>
        </Stack>
      </form>
    </AccountFrame>
  );
}

/** The server's sentence with its first letter capitalised. */
function capitalised(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message) return error;
  return new Error(error.message.charAt(0).toUpperCase() + error.message.slice(1));
}
