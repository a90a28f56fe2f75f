import type { App } from '@bidwell/contract/apps/schema';
import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { Paper, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { AppSelect } from '../../../entities/apps/app-select.tsx';
import { mayRun } from '../../../entities/creatives/creative-lists.ts';
import { SizeCoveragePanel } from '../../../entities/creatives/size-coverage-panel.tsx';
import { type Loadable, knownData, mapped, useLoadable } from '../../../lib/loadable.ts';
import { appsQuery } from '../../../entities/apps/queries.ts';
import { useReviewSentences } from '../../../entities/moderation/review-text.ts';
import { FormActions } from '../../../ui/form/form-actions.tsx';
import { CountedTextarea } from '../../../ui/form/form-fields.tsx';
import { LeaveGuard } from '../../../ui/form/leave-guard.tsx';
import { Muted } from '../../../ui/layout/text.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { WithSidePanel } from '../../../ui/layout/with-side-panel.tsx';
import type { CreativeSearch } from '../creative-search.ts';
import { ImportButton } from '../import/import-button.tsx';
import { UrlFields } from '../url-fields.tsx';
import { LocalPreview } from './local-preview.tsx';
import type { DetailsForm } from './upload-details.ts';
import { UploadFiles } from './upload-files.tsx';
import type { UploadItem } from './upload-list.ts';
import { uploadRules } from './upload-rules.ts';
import { type CreativeUpload, useCreativeUpload } from './use-creative-upload.ts';
import { uploadableSizes } from './use-uploads.ts';

/** /creatives/add-creative?type=&app=: uploads several files, each with its own progress and error. */
export function AddCreativeScreen() {
  const search = useSearch({ strict: false }) as CreativeSearch;
  const type = search.type ?? 'Banner';
  const apps = useLoadable(appsQuery);
  const review = useReviewSentences();
  const navigate = useNavigate();
  const upload = useCreativeUpload({
    type,
    onType: (next) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, type: next }), replace: true }),
    withUrls: true,
    app: search.app,
    onDone: async (_uploaded, app) =>
      navigate({ to: '/creatives', search: { type, app }, ignoreBlocker: true }),
  });
  const [shownKey, setShownKey] = useState<string>();
  const { form, uploads, listed, readyCount, busy } = upload;
  const shown = listed.find(({ item }) => item.key === shownKey)?.item ?? listed[0]?.item;
  const app = knownData(apps)?.find(({ uuid }) => uuid === form.values.app_id);
  return (
    <>
      <PageHeader
        title="Add creatives"
        description={review.newCreatives}
        actions={<ImportButton appUuid={form.values.app_id} />}
      />
      <LeaveGuard when={uploads.items.length > 0 && !busy} />
      <WithSidePanel side={<UploadSidePanel type={type} upload={upload} shown={shown} app={app} />}>
        <form onSubmit={upload.submit} noValidate>
          <Stack>
            <UploadDetailsFields form={form} type={type} apps={apps} />
            <Paper withBorder p="md">
              <Stack>
                <UploadFiles type={type} upload={upload} shownKey={shown?.key} onShow={setShownKey} />
                <FormActions
                  cancel={{ to: '/creatives', search: { type, app: search.app } }}
                  action={readyCount > 1 ? `Upload ${readyCount} ${uploadRules[type].file}s` : 'Upload'}
                  busy={busy}
                  permission="creative.write"
                />
              </Stack>
            </Paper>
          </Stack>
        </form>
      </WithSidePanel>
    </>
  );
}

interface UploadSidePanelProps {
  type: CreativeType;
  upload: CreativeUpload;
  /** The file in the preview. */
  shown: UploadItem | undefined;
  /** The advertised app. */
  app: App | undefined;
}

/** Preview of a selected file, and the sizes that the app has with the selected files. */
function UploadSidePanel({ type, upload, shown, app }: UploadSidePanelProps) {
  const { form, uploads, existing } = upload;
  return (
    <>
      <Paper withBorder p="md" component="section" aria-label="Preview">
        <Text fw={600} mb="sm">
          Preview
        </Text>
        {shown ? (
          <LocalPreview item={shown} app={app} texts={form.values} />
        ) : (
          <Muted>The preview of a selected file appears here.</Muted>
        )}
      </Paper>
      {type !== 'Playable' && (
        <SizeCoveragePanel
          types={type === 'Video' ? ['Video'] : ['Banner', 'Native']}
          creatives={mapped(existing, (known) => [
            ...known.filter(mayRun).map(({ internal_creative: asset }) => asset),
            ...uploadableSizes(uploads.items, known),
          ])}
          of={form.values.app_id ? 'Of this app, with the files chosen here' : 'Of the files chosen here'}
        />
      )}
    </>
  );
}

interface UploadDetailsFieldsProps {
  form: UseFormReturnType<DetailsForm>;
  type: CreativeType;
  apps: Loadable<readonly App[]>;
}

/** The fields that all files of an upload share: app, URLs and description. */
function UploadDetailsFields({ form, type, apps }: UploadDetailsFieldsProps) {
  const appUuid = form.values.app_id;
  return (
    <Paper withBorder p="md">
      <Stack>
        <AppSelect
          apps={apps}
          placeholder="Choose the app they advertise"
          {...form.getInputProps('app_id')}
          value={appUuid}
        />
        <UrlFields
          appUuid={appUuid}
          clickProps={form.getInputProps('click_url')}
          viewProps={form.getInputProps('view_url')}
          onFill={(urls) => {
            form.setValues(urls);
            form.clearErrors();
          }}
        />
        {type !== 'Native' && (
          <CountedTextarea
            label="Description"
            minRows={1}
            maxLength={limits.descriptionMax}
            {...form.getInputProps('description')}
          />
        )}
      </Stack>
    </Paper>
  );
}
