import { ProfileInput, type User, userVersion } from '@bidwell/contract/accounts/schema';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { Button, Group, Stack } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { accountQuery } from '../../lib/api/account.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { readAgain } from '../../lib/api/query-client.ts';
import { saveProfile } from '../../entities/accounts/profile-queries.ts';
import { withProof } from '../../entities/accounts/sign-in/prove.tsx';
import { personCalls } from '../../entities/accounts/sign-in/sign-in-calls.ts';
import { FormTextInput } from '../../ui/form/uncontrolled-fields.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { AvatarField } from './avatar-field.tsx';
import { PasswordFields } from './password-fields.tsx';
import { useAvatar } from './use-avatar.ts';

const noNewPassword = {
  password: '',
  password_confirmation: '',
  current_password: '',
  revoke_api_tokens: false,
};

const valuesOf = ({ email, first_name, last_name, contact }: User): ProfileInput => ({
  email,
  first_name,
  last_name,
  contact,
  ...noNewPassword,
});

/** Form of the user's picture, name, contact and password. */
export function ProfileForm({ user }: { user: User }) {
  const avatar = useAvatar(user.avatar);
  const { first_name, last_name } = user;
  const { form, busy, submit, changedElsewhere } = useSavedForm<ProfileInput, void, User>({
    mode: 'uncontrolled',
    initialValues: valuesOf(user),
    // Another tab or device of the person may save it too.
    entity: { saved: user, valuesOf, version: userVersion, reload: () => readAgain(accountQuery) },
    validate: schemaResolver(ProfileInput, { sync: true }),
    send: async (values, version) => {
      if (!user.uuid) throw new Error(accountMessages.userIdMissing);
      const uuid = user.uuid;
      return withProof(personCalls, () => saveProfile(uuid, values, avatar.file, version));
    },
    done: accountMessages.profileUpdated,
    onSaved: () => {
      form.setValues(noNewPassword);
      avatar.change(undefined);
    },
    onFailure: (error) => {
      if (error instanceof ApiError) avatar.setError(error.fields['avatar']);
    },
    failure: accountMessages.profileFailed,
  });
  const field = (name: keyof ProfileInput) => ({ form, name });
  return (
    <form onSubmit={submit} noValidate>
      {changedElsewhere}
      <Stack>
        <AvatarField name={`${first_name} ${last_name}`} avatar={avatar} />
        <Group grow align="start">
          <FormTextInput {...field('first_name')} label="First name" withAsterisk />
          <FormTextInput {...field('last_name')} label="Last name" withAsterisk />
        </Group>
        <FormTextInput {...field('email')} label="Email" type="email" withAsterisk />
        <FormTextInput {...field('contact')} label="Contact" withAsterisk />
        <PasswordFields form={form} />
        <Group justify="flex-end">
          {/* Disabled for an invalid picture, so that the profile is not saved without it by accident. */}
          <Button type="submit" loading={busy} disabled={avatar.error !== undefined}>
            Save profile
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
