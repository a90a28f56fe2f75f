import { Registration } from '@bidwell/contract/accounts/schema';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../lib/api/api-error.ts';
import { register } from '../../entities/accounts/log-in.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { FormTextInput } from '../../ui/form/uncontrolled-fields.tsx';
import { AccountForm } from './account-form.tsx';
import { PersonFields } from './person-fields.tsx';
import { useAccountForm } from './use-account-form.ts';

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
    schema: Registration,
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
  const { form } = state;
  return (
    <AccountForm
      title="Create an account"
      text="Your company and its first user, in one step."
      state={state}
      action="Create account"
      other={{ question: 'Have an account?', to: '/login', label: 'Log in' }}
    >
      <PersonFields
        form={form}
        email={
          <FormTextInput
            form={form}
            name="email"
            label="Email"
            type="email"
            autoComplete="email"
            withAsterisk
          />
        }
        company={
          <FormTextInput
            form={form}
            name="company_name"
            label="Company"
            description="Leave empty to use your own name; you can change it later"
            autoComplete="organization"
          />
        }
      />
    </AccountForm>
  );
}
