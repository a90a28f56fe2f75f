import type { User } from '@bidwell/contract/account';
import { ProfileInput } from '@bidwell/contract/account';
import { limits } from '@bidwell/contract/limits';
import { messages } from '@bidwell/contract/messages';
import { Avatar, Button, FileButton, Group, Paper, PasswordInput, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { PageLoader } from '../../ui/page-loader.tsx';
import { api } from '../../lib/api-client.ts';
import { accountQuery } from '../../lib/queries/account.ts';
import { saveProfile } from '../../lib/queries/profile.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { focusFirstError, showServerErrors } from '../../ui/form-fields.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function ProfileScreen() {
  const { data: user } = useQuery(accountQuery);
  return user ? <ProfileForm user={user} /> : <PageLoader />;
}

function ProfileForm({ user }: { user: User }) {
  const [avatar, setAvatar] = useState<File | null | undefined>();
  const picture = useAvatar(avatar, user.avatar);
  const [busy, setBusy] = useState(false);
  const { email, first_name, last_name, contact } = user;
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email, first_name, last_name, contact, password: '', password_confirmation: '' },
    validate: schemaResolver(ProfileInput, { sync: true }),
  });
  const save = async (values: typeof form.values) => {
    setBusy(true);
    try {
      await saveProfile(user.uuid, values, avatar);
      form.setFieldValue('password', '');
      form.setFieldValue('password_confirmation', '');
      setAvatar(undefined);
      toastSuccess(messages.profileUpdated);
    } catch (error) {
      showServerErrors(form, error);
      toastError(error, messages.profileFailed);
    } finally {
      setBusy(false);
    }
  };
  const choose = (file: File | null) => {
    if (file && file.size > limits.avatarBytesMax) toastError(new Error('A picture may have at most 2 MB'));
    else if (file) setAvatar(file);
  };
  const field = (name: keyof typeof form.values) => ({ ...form.getInputProps(name), key: form.key(name) });
  return (
    <>
      <PageHeader title="Profile" description={`${user.login}, ${user.company.name}`} />
      <Paper withBorder p="md" maw={560}>
        <form onSubmit={form.onSubmit((values) => void save(values), focusFirstError(form))} noValidate>
          <Stack>
            <Group>
              <Avatar src={picture} name={`${first_name} ${last_name}`} color="initials" size={64} alt="" />
              <FileButton onChange={choose} accept="image/png,image/jpeg,image/webp">
                {(props) => (
                  <Button {...props} variant="default">
                    Choose a picture
                  </Button>
                )}
              </FileButton>
              {picture && (
                <Button variant="subtle" color="gray" onClick={() => setAvatar(null)}>
                  Remove
                </Button>
              )}
            </Group>
            <Group grow align="start">
              <TextInput label="First name" withAsterisk {...field('first_name')} />
              <TextInput label="Last name" withAsterisk {...field('last_name')} />
            </Group>
            <TextInput label="Email" type="email" withAsterisk {...field('email')} />
            <TextInput label="Contact" withAsterisk {...field('contact')} />
            <PasswordInput
              label="New password"
              description="Leave empty to keep the present one. A new one ends your other sessions."
              autoComplete="new-password"
              {...field('password')}
            />
            <PasswordInput
              label="Confirm the new password"
              autoComplete="new-password"
              {...field('password_confirmation')}
            />
            <Group justify="flex-end">
              <Button type="submit" loading={busy}>
                Save profile
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
    </>
  );
}

/** An address for the picture as it would be after saving; null without one. */
function useAvatar(chosen: File | null | undefined, saved: string | null): string | null {
  const url = useMemo(() => (chosen ? URL.createObjectURL(chosen) : null), [chosen]);
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
