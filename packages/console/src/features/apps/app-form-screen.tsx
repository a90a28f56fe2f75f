import type { App } from '@bidwell/contract/app';
import { AppInput } from '@bidwell/contract/app';
import { consoleMessages } from '@bidwell/contract/messages';
import { screenMessages } from '@bidwell/contract/screen-messages';
import { Paper, Stack } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { appQuery, createApp, updateApp } from '../../lib/queries/apps.ts';
import { useReviewSentences } from '../../lib/review-sentences.ts';
import { EditScreen } from '../../ui/edit-screen.tsx';
import { useEntityForm } from '../../ui/entity-form.ts';
import { LoadErrorScreen } from '../../ui/error-screens.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { AppFields } from './app-fields.tsx';
import { AppSummary } from './app-summary.tsx';
import { AppValues, appValues, emptyApp } from './app-values.ts';
import { StoreLinkField } from './store-link-field.tsx';

/** /add-app */
export function AddAppScreen() {
  return <AppForm />;
}

/** /edit-app?uuid= */
export function EditAppScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const { data, error } = useQuery({ ...appQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid) return <LoadErrorScreen error={null} />;
  return (
    <EditScreen entity={data} error={error}>
      {(app) => <AppForm key={app.uuid} app={app} />}
    </EditScreen>
  );
}

const validate = schemaResolver(AppInput, { sync: true });

async function createAndReport(input: AppInput): Promise<string> {
  const { status } = await createApp(input);
  return status === 'Moderation' ? screenMessages.appAddedForReview : screenMessages.appAdded;
}

function AppForm({ app }: { app?: App }) {
  const review = useReviewSentences();
  const { form, busy, notice, submit } = useEntityForm<AppValues>({
    draftKey: `app.${app?.uuid ?? 'new'}`,
    draftSchema: AppValues,
    initialValues: app ? appValues(app) : emptyApp,
    validate,
    save: async (values) => {
      const input = AppInput.parse(values);
      if (!app) return createAndReport(input);
      await updateApp(app.uuid, input);
      return consoleMessages.saved('App');
    },
    tab: 'apps',
  });
  return (
    <>
      <PageHeader
        title={app ? app.name : 'Add app'}
        description={
          app ? review.changedApp : 'Paste the store link first: it fills in most of the other fields.'
        }
      />
      {notice}
      <form onSubmit={submit} noValidate>
        <Stack maw={760}>
          <Paper withBorder p="md">
            <Stack gap="sm">
              <StoreLinkField form={form} saved={app?.store_link} />
              {form.values.bundle_id !== '' && <AppSummary values={form.values} />}
            </Stack>
          </Paper>
          <AppFields form={form} />
          <FormActions cancel={{ to: '/assets', search: { tab: 'apps' } }} action="Save app" busy={busy} />
        </Stack>
      </form>
    </>
  );
}
