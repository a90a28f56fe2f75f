import { ProfileInput, type User, userVersion } from '@bidwell/contract/accounts/schema';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { Avatar, Button, Checkbox, FileButton, Group, Input, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { accountQuery } from '../../lib/api/account.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { readAgain } from '../../lib/api/query-client.ts';
import { saveProfile } from '../../entities/accounts/profile-queries.ts';
import { withProof } from '../../entities/accounts/sign-in/prove.tsx';
import { personCalls } from '../../entities/accounts/sign-in/sign-in-calls.ts';
import { FormPasswordInput, FormTextInput } from '../../ui/form/uncontrolled-fields.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { AVATAR_TYPES, type AvatarChoice, useAvatar } from './use-avatar.ts';

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
    schema: ProfileInput,
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

interface AvatarFieldProps {
  /** The user's name, whose initials are shown without a picture. */
  name: string;
  avatar: AvatarChoice;
}

/** Shows the user's picture, and selects another one or removes it. */
function AvatarField({ name, avatar: { file, url, error, change } }: AvatarFieldProps) {
  return (
    <Input.Wrapper label="Picture" description="PNG, JPEG or WebP, at most 2 MB" error={error}>
      <Group mt={6}>
        <Avatar src={url} name={name} color="initials" size={72} alt="Your picture" />
        <FileButton onChange={(chosen) => chosen && change(chosen)} accept={AVATAR_TYPES.join(',')}>
          {(props) => (
            <SecondaryButton {...props}>
              {url ? 'Choose another picture' : 'Choose a picture'}
            </SecondaryButton>
          )}
        </FileButton>
        {error ? (
          <Button variant="subtle" color="gray" onClick={() => change(undefined)}>
            Keep the current picture
          </Button>
        ) : (
          url && (
            <Button variant="subtle" color="gray" onClick={() => change(null)}>
              Remove picture
            </Button>
          )
        )}
      </Group>
      {file !== undefined && !error && (
        <Caption mt={6} role="status">
          {file === null ? 'Removed' : 'Changed'} when you save.
        </Caption>
      )}
    </Input.Wrapper>
  );
}

/** The new password; once it is typed, also the present one, and whether API keys are revoked. */
function PasswordFields({ form }: { form: UseFormReturnType<ProfileInput> }) {
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
