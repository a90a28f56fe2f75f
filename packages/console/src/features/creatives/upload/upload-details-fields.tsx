import type { App } from '@bidwell/contract/apps/schema';
import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { Paper, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Loadable } from '../../../lib/loadable.ts';
import { AppSelect } from '../../../entities/apps/app-select.tsx';
import { CountedTextarea } from '../../../ui/form/form-fields.tsx';
import type { DetailsForm } from './upload-details.ts';
import { UrlFields } from '../url-fields.tsx';

interface UploadDetailsFieldsProps {
  form: UseFormReturnType<DetailsForm>;
  type: CreativeType;
  apps: Loadable<readonly App[]>;
}

/** The fields that all files of an upload share: app, URLs and description. */
export function UploadDetailsFields({ form, type, apps }: UploadDetailsFieldsProps) {
  const appUuid = form.values.app_id;
  return (
    <Paper withBorder p="md">
      <Stack>
        <AppSelect
          apps={apps}
          placeholder="Choose the app they advertise"
          {...form.getInputProps('app_id')}
          value={appUuid}
          onChange={(uuid) => form.setFieldValue('app_id', uuid)}
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
