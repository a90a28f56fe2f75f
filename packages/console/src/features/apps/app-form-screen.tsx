import type { App } from '@bidwell/contract/app';
import { AppInput } from '@bidwell/contract/app';
import { Alert, Button, Group, Input, Paper, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { appQuery, createApp, updateApp } from '../../lib/queries/apps.ts';
import { useReviewSentences } from '../../lib/review-sentences.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { LoadErrorScreen } from '../../ui/error-screens.tsx';
import { useFormDraft } from '../../ui/form-draft.tsx';
import { focusFirstError, showServerErrors } from '../../ui/form-fields.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageLoader } from '../../ui/page-loader.tsx';
import { useIsHere } from '../../ui/use-is-here.ts';
import { AppFields } from './app-fields.tsx';
import { AppSummary } from './app-summary.tsx';
import { AppValues, appValues, emptyApp } from './app-values.ts';
import { missingHint } from './store-link-values.ts';
import { useStoreLink } from './use-store-link.ts';

/** /add-app */
export function AddAppScreen() {
  return <AppForm />;
}

/** /edit-app?uuid= */
export function EditAppScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const { data: app, error } = useQuery({ ...appQuery(uuid ?? ''), enabled: Boolean(uuid) });
  // An open form stays when a refetch fails.
  if (!uuid || (error && !app)) return <LoadErrorScreen error={error} />;
  return app ? <AppForm key={app.uuid} app={app} /> : <PageLoader />;
}

function AppForm({ app }: { app?: App }) {
  const navigate = useNavigate();
  const isHere = useIsHere();
  const review = useReviewSentences();
  const [busy, setBusy] = useState(false);
  const form = useForm<AppValues>({
    initialValues: app ? appValues(app) : emptyApp,
    validate: schemaResolver(AppInput, { sync: true }),
  });
  const draft = useFormDraft(form, `app.${app?.uuid ?? 'new'}`, AppValues, busy);
  const link = useStoreLink(form, app?.store_link);

  const save = async (values: AppValues) => {
    setBusy(true);
    try {
      const input = AppInput.parse(values);
      const saved = await (app ? updateApp(app.uuid, input) : createApp(input));
      draft.flush();
      const news =
        saved.status === 'Moderation'
          ? 'App added. It is reviewed before it can be advertised.'
          : 'App added.';
      toastSuccess(app ? 'App saved' : news);
      if (isHere()) await navigate({ to: '/assets', search: { tab: 'apps' } });
    } catch (error) {
      showServerErrors(form, error);
      toastError(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <PageHeader
        title={app ? app.name : 'Add app'}
        description={app ? review.changedApp : 'Paste the store link first: it fills in what it says.'}
      />
      {draft.notice}
      <form onSubmit={form.onSubmit((values) => void save(values), focusFirstError(form))} noValidate>
        <Stack maw={760}>
          <Paper withBorder p="md">
            <Stack gap="sm">
              <Group align="flex-end" gap="xs" wrap="nowrap">
                <TextInput
                  label="App store link"
                  placeholder="https://apps.apple.com/… or https://play.google.com/…"
                  withAsterisk
                  autoFocus={!app}
                  style={{ flex: 1 }}
                  {...form.getInputProps('store_link')}
                  error={Boolean(form.errors['store_link'])}
                  aria-describedby="store-link-state"
                  onPaste={(event) => {
                    const pasted = event.clipboardData.getData('text');
                    if (form.getValues().store_link !== '') return;
                    event.preventDefault();
                    form.setFieldValue('store_link', pasted.trim());
                    void link.read(pasted);
                  }}
                  onBlur={(event) => void link.read(event.currentTarget.value)}
                />
                <Button
                  variant="default"
                  loading={link.reading}
                  onClick={() => void link.read(form.getValues().store_link)}
                >
                  Fill in
                </Button>
              </Group>
              <LinkState
                id="store-link-state"
                error={form.errors['store_link']}
                text={
                  link.reading
                    ? 'Reading the store’s page…'
                    : link.parsed
                      ? missingHint(link.parsed)
                      : undefined
                }
              />
              {form.values.bundle_id !== '' && <AppSummary values={form.values} />}
            </Stack>
          </Paper>
          <AppFields form={form} />
          <Group justify="flex-end">
            <ButtonLink to="/assets" search={{ tab: 'apps' }} variant="default">
              Cancel
            </ButtonLink>
            <Button type="submit" loading={busy}>
              Save app
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}

interface LinkStateProps {
  id: string;
  error: React.ReactNode;
  text: string | undefined;
}

/** State of reading the store link, in an element of its own so that the button beside the field does not move. */
function LinkState({ id, error, text }: LinkStateProps) {
  return (
    <div id={id} aria-live="polite">
      {error ? (
        <Input.Error>{error}</Input.Error>
      ) : (
        text && (
          <Alert variant="light" color="accent" p="xs" icon={<IconInfoCircle size={16} />}>
            {text}
          </Alert>
        )
      )}
    </div>
  );
}
