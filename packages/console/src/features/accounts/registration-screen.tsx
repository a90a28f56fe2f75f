import { Registration } from '@bidwell/contract/accounts/schema';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../lib/api/api-error.ts';
import { register } from '../../entities/accounts/log-in.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { FormPasswordInput, FormTextInput } from '../../ui/form/uncontrolled-fields.tsx';
import { AccountForm } from './account-form.tsx';
import { useAccountForm } from './use-account-form.ts';

const validate = schemaResolver(Registration, { sync: true });
const emptyRegistration = {
  login: '',
  email: '',
  password: '',
  first_name: '',
  last_name: '',
  contact: '',
  company_name: '',
};

/** /registration */
export function RegistrationScreen() {
  const navigate = useNavigate();
  const state = useAccountForm<Registration>({
    initialValues: emptyRegistration,
    validate,
    send: async (values) => {
      if (await register(values)) return navigate({ to: '/campaigns' });
      toastSuccess(consoleMessages.accountReady);
      await navigate({ to: '/login' });
    },
    onError: (error, form) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
      toastError(error);
    },
  });
  const field = (name: keyof Registration) => ({ form: state.form, name });
  return (
    <AccountForm
      title="Create an account"
      text="Your company and its first user, in one step."
      state={state}
      action="Create account"
      other={{ question: 'Have an account?', to: '/login', label: 'Log in' }}
    >
      <FormTextInput
        {...field('login')}
        label="Login"
        description={screenMessages.loginHelp}
        autoComplete="username"
        autoFocus
        withAsterisk
      />
      <FormTextInput {...field('email')} label="Email" type="email" autoComplete="email" withAsterisk />
      <FormPasswordInput
        {...field('password')}
        label="Password"
        description={screenMessages.passwordHelp}
        autoComplete="new-password"
        withAsterisk
      />
      <Group grow align="start">
        <FormTextInput {...field('first_name')} label="First name" autoComplete="given-name" withAsterisk />
        <FormTextInput {...field('last_name')} label="Last name" autoComplete="family-name" />
      </Group>
      <FormTextInput
        {...field('company_name')}
        label="Company"
        description="Leave empty to use your own name; you can change it later"
        autoComplete="organization"
      />
      <FormTextInput
        {...field('contact')}
        label="Contact"
        description="How the operator can reach you: a messenger name or a phone number"
        withAsterisk
      />
    </AccountForm>
  );
}
