import {
  type NewPassword,
  NewPassword as NewPasswordSchema,
  PasswordResetRequest,
} from '@bidwell/contract/accounts/schema';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Button, Stack, Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { requestPasswordReset, resetPassword } from '../../entities/accounts/password-reset.ts';
import { toastError } from '../../lib/toast.ts';
import { FormPasswordInput, FormTextInput } from '../../ui/form/uncontrolled-fields.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { AccountForm } from './account-form.tsx';
import { AccountFrame } from './account-frame.tsx';
import { useAccountForm } from './use-account-form.ts';

/** /password-reset: requests a link by mail; with the token of a link in the fragment, asks for the new password. */
export function PasswordResetScreen() {
  const token = useLocation({ select: ({ hash }) => hash });
  return token ? <NewPasswordForm key={token} token={token} /> : <LinkForm />;
}

const back = { question: 'Remember it?', to: '/login', label: 'Log in' } as const;

function LinkForm() {
  const [isSent, setIsSent] = useState(false);
  const state = useAccountForm<PasswordResetRequest>({
    initialValues: { login: '' },
    schema: PasswordResetRequest,
    send: async ({ login }) => {
      await requestPasswordReset(login);
      setIsSent(true);
    },
    onError: (error) => toastError(error),
  });
  if (isSent) return <LinkSent />;
  return (
    <AccountForm
      title="Forgot your password?"
      text="We send a link to the e-mail address of your account."
      state={state}
      action="Send link"
      other={back}
    >
      <FormTextInput form={state.form} name="login" label="Login" autoComplete="username" autoFocus />
    </AccountForm>
  );
}

function LinkSent() {
  return (
    <AccountFrame title="Check your mail" text="The link works once, for one hour.">
      <Stack>
        <Text size="sm" role="status">
          If there is an account with this login, a mail with a link is on its way to its e-mail address. It
          may take a few minutes; check your spam folder too.
        </Text>
        <SecondaryButton component={Link} to="/login" fullWidth>
          Back to the login
        </SecondaryButton>
      </Stack>
    </AccountFrame>
  );
}

interface Passwords extends Record<string, unknown> {
  password: string;
  confirmation: string;
}

const validatePassword = schemaResolver(NewPasswordSchema, { sync: true });

function NewPasswordForm({ token }: Pick<NewPassword, 'token'>) {
  const navigate = useNavigate();
  const { form, busy, submit } = useSavedForm<Passwords>({
    mode: 'uncontrolled',
    initialValues: { password: '', confirmation: '' },
    validate: ({ password, confirmation }) => ({
      ...(validatePassword({ token, password }) as Record<string, string>),
      ...(password !== confirmation && {
        confirmation:
          confirmation === '' ? accountMessages.passwordConfirm : accountMessages.passwordMismatch,
      }),
    }),
    send: ({ password }) => resetPassword({ token, password }),
    done: consoleMessages.passwordReset,
    onSaved: () => navigate({ to: '/login' }),
  });
  return (
    <AccountFrame title="Choose a new password" text="It ends all sessions of your login.">
      <form noValidate onSubmit={submit}>
        <Stack>
          <FormPasswordInput
            form={form}
            name="password"
            label="New password"
            autoComplete="new-password"
            autoFocus
          />
          <FormPasswordInput
            form={form}
            name="confirmation"
            label="Confirm password"
            autoComplete="new-password"
          />
          <Button type="submit" loading={busy} fullWidth>
            Save password
          </Button>
          <Text size="sm" ta="center">
            <Link to="/password-reset">Request another link</Link>
          </Text>
        </Stack>
      </form>
    </AccountFrame>
  );
}
