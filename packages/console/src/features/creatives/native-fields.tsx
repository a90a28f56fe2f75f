import { limits } from '@bidwell/contract/limits';
import { SimpleGrid } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CountedInput, CountedTextarea } from '../../ui/form-fields.tsx';
import type { DetailsForm } from './upload-details.ts';

/** Text fields of a native ad. */
export function NativeFields({ form }: { form: UseFormReturnType<DetailsForm> }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <CountedInput
          label="Headline/Title"
          maxLength={limits.nativeTitleMax}
          {...form.getInputProps('native_title')}
        />
        <CountedInput
          label="Sponsored By"
          maxLength={limits.nativeSponsorMax}
          {...form.getInputProps('native_sponsor')}
        />
      </SimpleGrid>
      <CountedTextarea
        label="Description"
        minRows={1}
        maxLength={limits.nativeDescriptionMax}
        {...form.getInputProps('native_description')}
      />
    </>
  );
}
