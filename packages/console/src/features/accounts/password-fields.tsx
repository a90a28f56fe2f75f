import type { ProfileInput } from '@bidwell/contract/accounts/schema';
import { Checkbox } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { FormPasswordInput } from '../../ui/form/uncontrolled-fields.tsx';

interface PasswordFieldsProps {
  form: UseFormReturnType<ProfileInput>;
}

/** The new password; once it is typed, also the present one, and whether API keys are revoked. */
export function PasswordFields({ form }: PasswordFieldsProps) {
  const [changes, setChanges] = useState(false);
  form.watch('password', ({ value }) => setChanges(value !== ''));
  return (
    <>
      <FormPasswordInput
        form={form}
        name="password"
        label="New password"
        description="Leave empty to keep the current one. A new one ends your other sessions."
        autoComplete="new-password"
      />
      <FormPasswordInput
        form={form}
        name="password_confirmation"
        label="Confirm password"
        autoComplete="new-password"
      />
      {changes && (
        <>
          <FormPasswordInput
            form={form}
            name="current_password"
            label="Current password"
            description="Required if you logged in more than ten minutes ago."
            autoComplete="current-password"
          />
          <Checkbox
            key={form.key('revoke_api_tokens')}
            label="Revoke my API keys as well"
            description="Programs that use them are rejected from then on."
            {...form.getInputProps('revoke_api_tokens', { type: 'checkbox' })}
          />
        </>
      )}
    </>
  );
}
