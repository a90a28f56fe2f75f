import { Registration } from '@bidwell/contract/account';
import { Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { register } from '../../lib/log-in.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { AccountFrame } from './account-frame.tsx';
import { Captcha } from './captcha.tsx';
import { useCaptcha } from './use-captcha.ts';

export function RegistrationScreen() {
  const navigate = useNavigate();
  const captcha = useCaptcha();
  const [busy, setBusy] = useState(false);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { login: '', email: '', password: '', first_name: '', last_name: '', contact: '' },
    validate: schemaResolver(Registration, { sync: true }),
  });

  const refuse = (errors: Readonly<Record<string, unknown>>) => {
    captcha.check();
    form.getInputNode(Object.keys(errors)[0]!)?.focus();
  };
  const submit = async (values: Registration) => {
    if (!captcha.check()) return;
    setBusy(true);
    try {
      await register(values);
      toastSuccess('Your account is ready. Please log in.');
      await navigate({ to: '/login' });
    } catch (error) {
      if (error instanceof ApiError) form.setErrors(error.fields);
      toastError(error);
      captcha.renew();
    } finally {
      setBusy(false);
    }
  };

  return (
    <AccountFrame title="Create an account" text="Your company and its first user, in one step.">
      <form onSubmit={form.onSubmit((values) => void submit(values), refuse)} noValidate>
        <Stack>
          <TextInput
            label="Login"
            description="Lower-case latin letters, with dots between parts"
            autoComplete="username"
            withAsterisk
            {...form.getInputProps('login')}
            key={form.key('login')}
          />
          <TextInput
            label="Email"
            type="email"
            autoComplete="email"
            withAsterisk
            {...form.getInputProps('email')}
            key={form.key('email')}
          />
          <PasswordInput
            label="Password"
            autoComplete="new-password"
            withAsterisk
            {...form.getInputProps('password')}
            key={form.key('password')}
          />
          <Group grow align="start">
            <TextInput
              label="First name"
              autoComplete="given-name"
              withAsterisk
              {...form.getInputProps('first_name')}
              key={form.key('first_name')}
            />
            <TextInput
              label="Last name"
              autoComplete="family-name"
              {...form.getInputProps('last_name')}
              key={form.key('last_name')}
            />
          </Group>
          <TextInput
            label="Contact"
            description="Telegram, Skype or phone"
            withAsterisk
            {...form.getInputProps('contact')}
            key={form.key('contact')}
          />
          <Captcha {...captcha.props} />
          <Button type="submit" loading={busy} fullWidth>
            Create account
          </Button>
          <Text size="sm" ta="center">
            Have an account?{' '}
            <Anchor component={Link} to="/login" size="sm" underline="always">
              Log in
            </Anchor>
          </Text>
        </Stack>
      </form>
    </AccountFrame>
  );
}
