import { type App, AppInput, appVersion } from '@bidwell/contract/apps/schema';
import { AdvertiserDomain } from '@bidwell/contract/apps/advertiser-domain';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { messages } from '@bidwell/contract/text/messages';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { AppIcon } from '../../entities/apps/app-icon.tsx';
import { appQuery, createApp, updateApp } from '../../entities/apps/queries.ts';
import { readAgain } from '../../lib/api/query-client.ts';
import { useReviewSentences } from '../../entities/moderation/review-text.ts';
import { osNames } from '../../lib/format/os-names.ts';
import { useEntityForm } from '../../ui/form/entity-form.ts';
import { FormActions } from '../../ui/form/form-actions.tsx';
import { FormHeader, type FormInDrawer } from '../../ui/form/form-in-drawer.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { AppFields } from './app-fields.tsx';
import { AppValues, appValues, emptyApp } from './app-values.ts';
import { StoreLinkField } from './store-link-field.tsx';

/** The API takes an app without a domain; the form asks for it here rather than at the start of a campaign. */
const FormInput = AppInput.extend({
  advertiser_domain: AdvertiserDomain.refine((domain) => domain !== null, messages.required),
});
const validate = schemaResolver(FormInput, { sync: true });

async function saveApp(
  app: App | undefined,
  input: AppInput,
  { version, unsaved }: { version: string | undefined; unsaved: string | null },
): Promise<{ saved: App; message: string }> {
  if (app) {
    const saved = await updateApp(app.uuid, input, version);
    return { saved, message: unsaved ?? consoleMessages.saved('App') };
  }
  const saved = await createApp(input);
  const message = saved.status === 'Moderation' ? screenMessages.appAddedForReview : screenMessages.appAdded;
  return { saved, message };
}

interface AppFormProps {
  app?: App;
  drawer?: FormInDrawer<App>;
  /** The unsaved changes of the other forms of the screen, which leaving it would lose; null if there are none. */
  unsaved?: string | null;
}

/** Form of an app, new or existing. */
export function AppForm({ app, drawer, unsaved = null }: AppFormProps) {
  const review = useReviewSentences();
  const { form, busy, notice, submit } = useEntityForm<AppValues, App>({
    draftKey: `app.${app?.uuid ?? 'new'}`,
    draftSchema: AppValues,
    initialValues: app ? appValues(app) : emptyApp,
    validate,
    entity: app && {
      saved: app,
      valuesOf: appValues,
      version: appVersion,
      reload: () => readAgain(appQuery(app.uuid)),
    },
    save: (values, version) => saveApp(app, AppInput.parse(values), { version, unsaved }),
    tab: 'apps',
    stays: unsaved !== null,
    drawer,
  });
  return (
    <>
      <FormHeader
        inDrawer={drawer !== undefined}
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
          <FormActions
            cancel={drawer?.onCancel ?? { to: '/assets', search: { tab: 'apps' } }}
            action="Save app"
            busy={busy}
            permission="app.write"
          />
        </Stack>
      </form>
    </>
  );
}

/** Preview of the app as lists show it. */
function AppSummary({ values }: { values: AppValues }) {
  const { name, icon_link: icon, os, bundle_id: bundle, rating, size_in_kb: sizeKb } = values;
  return (
    <Group gap="sm" wrap="nowrap">
      <AppIcon app={{ name: name || bundle, icon_link: icon || null }} size={48} />
      <Stack gap={2} style={{ minWidth: 0 }}>
        <Group gap={6}>
          <Text fw={600}>{name || 'No title yet'}</Text>
          {os && (
            <Badge size="xs" variant="default">
              {os === 'ios' ? osNames.ios : osNames.android}
            </Badge>
          )}
        </Group>
        <Caption style={{ overflowWrap: 'anywhere' }}>
          {[
            bundle,
            rating === null ? null : `rated ${rating}`,
            sizeKb === null ? null : `${Math.max(1, Math.round(sizeKb / 1024))} MB`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Caption>
      </Stack>
    </Group>
  );
}
