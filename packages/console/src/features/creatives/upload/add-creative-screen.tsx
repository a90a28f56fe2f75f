import { Paper, Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { knownData, useLoadable } from '../../../lib/loadable.ts';
import { appsQuery } from '../../../entities/apps/queries.ts';
import { useReviewSentences } from '../../../entities/moderation/review-text.ts';
import { FormActions } from '../../../ui/form/form-actions.tsx';
import { LeaveGuard } from '../../../ui/form/leave-guard.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { WithSidePanel } from '../../../ui/layout/with-side-panel.tsx';
import type { CreativeSearch } from '../creative-search.ts';
import { ImportButton } from '../import/import-button.tsx';
import { UploadDetailsFields } from './upload-details-fields.tsx';
import { UploadFiles } from './upload-files.tsx';
import { uploadRules } from './upload-rules.ts';
import { UploadSidePanel } from './upload-side-panel.tsx';
import { useCreativeUpload } from './use-creative-upload.ts';

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
