import { limits } from '@bidwell/contract/lib/limits';
import { SimpleGrid, type TextInputProps } from '@mantine/core';
import { CountedInput } from '../../ui/form/form-fields.tsx';

/** Headline and sponsor of a native ad, with counters of their length. */
export function NativeTexts({ title, sponsor }: { title: TextInputProps; sponsor: TextInputProps }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <CountedInput label="Headline/Title" maxLength={limits.nativeTitleMax} {...title} />
      <CountedInput label="Sponsored By" maxLength={limits.nativeSponsorMax} {...sponsor} />
    </SimpleGrid>
  );
}
