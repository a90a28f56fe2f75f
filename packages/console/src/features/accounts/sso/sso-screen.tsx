import { SsoSignIn } from '@bidwell/contract/accounts/single-sign-on';
import { useLocation } from '@tanstack/react-router';
import { goToProvider } from '../../../entities/accounts/sso-sign-in.ts';
import { failureText } from '../../../lib/api/api-error.ts';
import { FormTextInput } from '../../../ui/form/uncontrolled-fields.tsx';
import { AccountForm } from '../account-form.tsx';
import { useAccountForm } from '../use-account-form.ts';

/** /sso#ADDRESS: asks for the mail address whose domain leads to the provider. */
export function SsoScreen() {
  const invited = useLocation({ select: ({ hash }) => hash });
  const state = useAccountForm({
    initialValues: { email: invited },
    schema: SsoSignIn,
    send: ({ email }) => goToProvider(email),
    onError: (error, form) => form.setFieldError('email', failureText(error)),
  });
  return (
    <AccountForm
      title="Single sign-on"
      text="Your mail address takes you to the sign-in of your company."
      state={state}
      action="Continue"
      other={{ question: 'Have a password?', to: '/login', label: 'Log in' }}
    >
      <FormTextInput
        form={state.form}
        name="email"
        label="Work email"
        type="email"
        autoComplete="email"
        autoFocus
      />
    </AccountForm>
  );
}
