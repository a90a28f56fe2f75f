import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AccountFrame } from './account-frame.tsx';
import { Captcha } from './captcha.tsx';
import type { useAccountForm } from './use-account-form.ts';

interface AccountFormProps {
  title: string;
  text: string;
  /** The state of the form, from {@link useAccountForm}. */
  state: Pick<ReturnType<typeof useAccountForm>, 'busy' | 'submit' | 'captcha'>;
  /** Label of the submit button. */
  action: string;
  /** The link to the other form, after a question. */
  other: { question: string; to: '/login' | '/registration'; label: string };
  /** Other ways in, below the submit button. */
  ways?: ReactNode;
  /** The fields. */
  children: ReactNode;
}

/** The login or the registration form: fields, captcha, submit button, other ways in and a link to the other form. */
export function AccountForm({ title, text, state, action, other, ways, children }: AccountFormProps) {
  return (
    <AccountFrame title={title} text={text}>
      <form onSubmit={state.submit} noValidate>
        <Stack>
          {children}
          <Captcha {...state.captcha} />
          <Button type="submit" loading={state.busy} fullWidth>
            {action}
          </Button>
          {ways}
          <Text size="sm" ta="center">
            {other.question}{' '}
            <Anchor component={Link} to={other.to} size="sm" underline="always">
              {other.label}
            </Anchor>
          </Text>
        </Stack>
      </form>
    </AccountFrame>
  );
}
