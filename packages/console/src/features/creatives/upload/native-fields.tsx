import { limits } from '@bidwell/contract/lib/limits';
import type { UseFormReturnType } from '@mantine/form';
import { CountedTextarea } from '../../../ui/form/form-fields.tsx';
import { NativeTexts } from '../../../entities/creatives/native-texts.tsx';
import type { DetailsForm } from './upload-details.ts';

/** Text fields of a native ad. */
export function NativeFields({ form }: { form: UseFormReturnType<DetailsForm> }) {
  return (
    <>
      <NativeTexts
        title={form.getInputProps('native_title')}
        sponsor={form.getInputProps('native_sponsor')}
      />
      <CountedTextarea
        label="Description"
        minRows={1}
        maxLength={limits.nativeDescriptionMax}
        {...form.getInputProps('native_description')}
      />
    </>
  );
}
