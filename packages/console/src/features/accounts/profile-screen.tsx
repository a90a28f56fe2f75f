import type { User } from '@bidwell/contract/account';
import { ProfileInput } from '@bidwell/contract/account';
import { limits } from '@bidwell/contract/limits';
import { messages } from '@bidwell/contract/messages';
import {
  Avatar,
  Button,
  Checkbox,
  FileButton,
  Group,
  Input,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { ApiTokens } from './api-tokens.tsx';
import { PageLoader } from '../../ui/page-loader.tsx';
import { api } from '../../lib/api-client.ts';
import { ApiError } from '../../lib/api-error.ts';
import { accountQuery, logOut } from '../../lib/queries/account.ts';
import { saveProfile } from '../../lib/queries/profile.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { confirmDestroy } from '../../ui/confirm.tsx';
import { focusFirstError, showServerErrors } from '../../ui/form-fields.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function ProfileScreen() {
  const { data: user } = useQuery(accountQuery);
  return user ? <ProfileForm user={user} /> : <PageLoader />;
}

function ProfileForm({ user }: { user: User }) {
  const [avatar, setAvatar] = useState<File | null | undefined>();
  const picture = useAvatar(avatar, user.avatar);
  const [avatarError, setAvatarError] = useState<string>();
  const [changesPassword, setChangesPassword] = useState(false);
  const [busy, setBusy] = useState(false);
  const { email, first_name, last_name, contact } = user;
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email, first_name, last_name, contact, ...noNewPassword },
    validate: schemaResolver(ProfileInput, { sync: true }),
  });
  form.watch('password', ({ value }) => setChangesPassword(value !== ''));
  const save = async (values: typeof form.values) => {
    if (!user.uuid) {
      toastError(new Error(messages.userIdMissing));
      return;
    }
    setBusy(true);
    try {
      await saveProfile(user.uuid, values, avatar);
      form.setValues(noNewPassword);
      setChangesPassword(false);
      setAvatar(undefined);
      toastSuccess(messages.profileUpdated);
    } catch (error) {
      showServerErrors(form, error);
      if (error instanceof ApiError) setAvatarError(error.fields['avatar']);
      toastError(error, messages.profileFailed);
    } finally {
      setBusy(false);
    }
  };
  /** Selects a new picture, null to remove it, undefined for the saved one. */
  const changePicture = (change: File | null | undefined) => {
    setAvatarError(change ? validateAvatar(change) : undefined);
    setAvatar(change);
  };
  return (
    <>
      <PageHeader title="Profile" description={`${user.login}, ${user.company.name}`} />
      <Paper withBorder p="md" maw={560}>
        <form onSubmit={form.onSubmit((values) => void save(values), focusFirstError(form))} noValidate>
          <Stack>
            <Input.Wrapper label="Picture" description="PNG, JPEG or WebP, at most 2 MB" error={avatarError}>
              <Group mt={6}>
                <Avatar
                  src={picture}
                  name={`${first_name} ${last_name}`}
                  color="initials"
                  size={72}
                  alt="Your picture"
                />
                <FileButton onChange={(file) => file && changePicture(file)} accept={AVATAR_TYPES.join(',')}>
                  {(props) => (
                    <Button {...props} variant="default">
                      {picture ? 'Choose another picture' : 'Choose a picture'}
                    </Button>
                  )}
                </FileButton>
                {avatarError ? (
                  <Button variant="subtle" color="gray" onClick={() => changePicture(undefined)}>
                    Keep the present one
                  </Button>
                ) : (
                  picture && (
                    <Button variant="subtle" color="gray" onClick={() => changePicture(null)}>
                      Remove picture
                    </Button>
                  )
                )}
              </Group>
              {avatar !== undefined && !avatarError && (
                <Text size="xs" c="dimmed" mt={6} role="status">
                  {avatar === null ? 'Removed' : 'Changed'} when you save.
                </Text>
              )}
            </Input.Wrapper>
            <Group grow align="start">
              <TextInput
                key={form.key('first_name')}
                label="First name"
                withAsterisk
                {...form.getInputProps('first_name')}
              />
              <TextInput
                key={form.key('last_name')}
                label="Last name"
                withAsterisk
                {...form.getInputProps('last_name')}
              />
            </Group>
            <TextInput
              key={form.key('email')}
              label="Email"
              type="email"
              withAsterisk
              {...form.getInputProps('email')}
            />
            <TextInput
              key={form.key('contact')}
              label="Contact"
              withAsterisk
              {...form.getInputProps('contact')}
            />
            <PasswordInput
              key={form.key('password')}
              label="New password"
              description="Leave empty to keep the present one. A new one ends your other sessions."
              autoComplete="new-password"
              {...form.getInputProps('password')}
            />
            <PasswordInput
              key={form.key('password_confirmation')}
              label="Confirm password"
              autoComplete="new-password"
              {...form.getInputProps('password_confirmation')}
            />
            {changesPassword && (
              <>
                <PasswordInput
                  key={form.key('current_password')}
                  label="Current password"
                  description="Needed when you logged in more than ten minutes ago."
                  autoComplete="current-password"
                  {...form.getInputProps('current_password')}
                />
                <Checkbox
                  key={form.key('revoke_api_tokens')}
                  label="Revoke my API tokens as well"
                  description="Scripts that use them stop reading reports."
                  {...form.getInputProps('revoke_api_tokens', { type: 'checkbox' })}
                />
              </>
            )}
            <Group justify="flex-end">
              {/* Disabled for an invalid picture, so that the profile is not saved without it by accident. */}
              <Button type="submit" loading={busy} disabled={avatarError !== undefined}>
                Save profile
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
      <ApiTokens />
      <Sessions />
    </>
  );
}

const noNewPassword = {
  password: '',
  password_confirmation: '',
  current_password: '',
  revoke_api_tokens: false,
};

const AVATAR_TYPES = ['image/png', 'image/jpeg', 'image/webp'];

function validateAvatar(file: File): string | undefined {
  if (!AVATAR_TYPES.includes(file.type)) return messages.invalidFileType;
  return file.size > limits.avatarBytesMax ? 'A picture may have at most 2 MB' : undefined;
}

function Sessions() {
  const ask = () =>
    confirmDestroy({
      title: 'Log out everywhere?',
      text: 'Every browser and device that is logged in to your account, this one too, has to log in again.',
      action: 'Log out everywhere',
      onConfirm: () => void logOut({ everywhere: true }),
    });
  return (
    <Paper withBorder p="md" mt="md" maw={560}>
      <Group justify="space-between">
        <div>
          <Title order={2} size="h5">
            Sessions
          </Title>
          <Text size="sm" c="dimmed">
            Lost a device, or used one that is not yours?
          </Text>
        </div>
        <Button variant="default" onClick={ask}>
          Log out everywhere
        </Button>
      </Group>
    </Paper>
  );
}

/** The URL of the picture as it will be after saving; null without one. */
function useAvatar(chosen: File | null | undefined, saved: string | null): string | null {
  const url = useMemo(
    () => (chosen && !validateAvatar(chosen) ? URL.createObjectURL(chosen) : null),
    [chosen],
  );
  const { data } = useQuery({
    queryKey: ['file', saved],
    queryFn: () => api.fileUrl(saved!),
    enabled: saved !== null,
  });
  useEffect(
    () => () => {
      if (url) URL.revokeObjectURL(url);
    },
    [url],
  );
  if (chosen === null) return null;
  return url ?? (saved === null ? null : (data ?? null));
}
