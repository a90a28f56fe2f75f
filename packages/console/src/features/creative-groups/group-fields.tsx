import type { Creative } from '@bidwell/contract/creatives/schema';
import type { CreativeGroupInput } from '@bidwell/contract/creative-groups/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { Paper, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Loadable } from '../../lib/loadable.ts';
import { CountedTextarea } from '../../ui/form/form-fields.tsx';
import { NativeTexts } from '../../entities/creatives/native-texts.tsx';
import { TitleFields } from '../../ui/form/title-fields.tsx';
import { Muted } from '../../ui/layout/muted.tsx';
import { CreativePicker } from './creative-picker.tsx';
import { creativeLists } from '../../entities/creatives/creative-lists.ts';
import { groupErrors } from './group-values.ts';

interface GroupFieldsProps {
  form: UseFormReturnType<CreativeGroupInput>;
  /** All creatives of the company. */
  creatives: Loadable<readonly Creative[]>;
  /** Uuids of the group's creatives. */
  chosen: ReadonlySet<string>;
}

/** The fields of a creative group: title, creatives and native texts. */
export function GroupFields({ form, creatives, chosen }: GroupFieldsProps) {
  return (
    <>
      <Paper withBorder p="md">
        <Stack>
          <TitleFields title={form.getInputProps('name')} description={form.getInputProps('description')} />
        </Stack>
      </Paper>
      <CreativePicker
        creatives={creatives}
        chosen={chosen}
        error={form.errors[creativeLists.Video]}
        onChange={(type, uuids) => {
          const field = creativeLists.Video;
          form.setFieldValue(creativeLists[type], uuids);
          form.setFieldError(
            field,
            groupErrors({ ...form.getValues(), [creativeLists[type]]: uuids })[field],
          );
        }}
      />
      <Paper withBorder p="md" component="section" aria-label="Native texts">
        <Text fw={600}>Native texts</Text>
        <Muted size="xs" mb="sm">
          Shown with the native images of this group.
        </Muted>
        <NativeTexts
          title={form.getInputProps('native_title')}
          sponsor={form.getInputProps('native_sponsor')}
        />
        <CountedTextarea
          mt="md"
          label="Native description"
          maxLength={limits.nativeDescriptionMax}
          {...form.getInputProps('native_description')}
        />
      </Paper>
    </>
  );
}
