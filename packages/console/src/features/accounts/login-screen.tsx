import { Credentials } from '@bidwell/contract/account';
import { messages } from '@bidwell/contract/messages';
import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { failureText } from '../../lib/api-error.ts';
import { logIn } from '../../lib/log-in.ts';
import { takeReturnAddress } from '../../lib/return-address.ts';
import { toastError } from '../../lib/toast.ts';
import { AccountFrame } from './account-frame.tsx';
import { Captcha } from './captcha.tsx';
import { useCaptcha } from './use-captcha.ts';

export function LoginScreen() {
  const router = useRouter();
  const captcha = useCaptcha();
  const [busy, setBusy] = useState(false);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { login: '', password: '' },
    validate: schemaResolver(Credentials, { sync: true }),
  });

  const refuse = (errors: Readonly<Record<string, unknown>>) => {
    captcha.check();
    form.getInputNode(Object.keys(errors)[0]!)?.focus();
  };
  const submit = async (values: Credentials) => {
    if (!captcha.check()) return;
    setBusy(true);
    try {
      await logIn(values);
      router.history.push(takeReturnAddress() ?? '/campaigns');
    } catch (error) {
      toastError(new Error(capitalised(failureText(error, messages.tryAgain))));
      captcha.renew();
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
          <Captcha {...captcha.props} />
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

/** Capitalises the first letter. */
function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
