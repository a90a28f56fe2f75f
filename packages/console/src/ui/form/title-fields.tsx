import { limits } from '@bidwell/contract/lib/limits';
import type { TextInputProps, TextareaProps } from '@mantine/core';
import { CountedInput, CountedTextarea } from './form-fields.tsx';

interface TitleFieldsProps {
  /** Label of the title; Title without one. */
  label?: string;
  title: TextInputProps;
  description: TextareaProps;
}

/** The title and the description that every entity has, with counters of their length. */
export function TitleFields({ label = 'Title', title, description }: TitleFieldsProps) {
  return (
    <>
      <CountedInput label={label} withAsterisk maxLength={limits.titleMax} {...title} />
      <CountedTextarea label="Description" maxLength={limits.descriptionMax} {...description} />
    </>
  );
}
