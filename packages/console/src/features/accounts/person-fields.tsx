import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { FormPasswordInput, FormTextInput } from '../../ui/form/uncontrolled-fields.tsx';

interface PersonFieldsProps extends Pick<ComponentProps<typeof FormTextInput>, 'form'> {
  /** Below the login. */
  email?: ReactNode;
  /** Below the names. */
  company?: ReactNode;
}

/** The fields of a person who creates an account. */
export function PersonFields({ form, email, company }: PersonFieldsProps) {
  return (
    <>
      <FormTextInput
        form={form}
        name="login"
        label="Login"
        description={screenMessages.loginHelp}
        autoComplete="username"
        autoFocus
        withAsterisk
      />
      {email}
      <FormPasswordInput
        form={form}
        name="password"
        label="Password"
        description={screenMessages.passwordHelp}
        autoComplete="new-password"
        withAsterisk
      />
      <Group grow align="start">
        <FormTextInput
          form={form}
          name="first_name"
          label="First name"
          autoComplete="given-name"
          withAsterisk
        />
        <FormTextInput form={form} name="last_name" label="Last name" autoComplete="family-name" />
      </Group>
      {company}
      <FormTextInput
        form={form}
        name="contact"
        label="Contact"
        description="How the operator can reach you: a messenger name or a phone number"
        withAsterisk
      />
    </>
  );
}
