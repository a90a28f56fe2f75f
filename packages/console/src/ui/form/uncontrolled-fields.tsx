import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

interface UncontrolledField {
  // The fields need no type of the values: they only name one of them.
  form: Pick<UseFormReturnType<Record<string, unknown>>, 'key' | 'getInputProps'>;
  /** The value's name in the form. */
  name: string;
}

type Field<Props> = UncontrolledField & Omit<Props, keyof UncontrolledField>;

/** A text field of an uncontrolled form. */
export function FormTextInput({ form, name, ...props }: Field<TextInputProps>) {
  return <TextInput {...props} key={form.key(name)} {...form.getInputProps(name)} />;
}

/** A password field of an uncontrolled form. */
export function FormPasswordInput({ form, name, ...props }: Field<PasswordInputProps>) {
  return <PasswordInput {...props} key={form.key(name)} {...form.getInputProps(name)} />;
}
