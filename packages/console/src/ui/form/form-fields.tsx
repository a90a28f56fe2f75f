import { countCharacters } from '@bidwell/contract/lib/characters';
import { limits } from '@bidwell/contract/lib/limits';
import { Text, TextInput, type TextInputProps, Textarea, type TextareaProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ChangeEvent, type ChangeEventHandler, useState } from 'react';

/** A text field with a counter of its length. */
export function CountedInput({ maxLength, ...props }: TextInputProps & { maxLength: number }) {
  return <TextInput {...props} {...useCounter(maxLength, props)} rightSectionWidth={64} />;
}

/** The name of something. */
export function NameInput(props: TextInputProps) {
  return <CountedInput label="Name" withAsterisk maxLength={limits.titleMax} {...props} />;
}

/** A text area with a counter of its length. */
export function CountedTextarea({ maxLength, ...props }: TextareaProps & { maxLength: number }) {
  return (
    <Textarea
      autosize
      minRows={2}
      maxRows={6}
      {...props}
      {...useCounter(maxLength, props)}
      rightSectionWidth={72}
    />
  );
}

interface CountedProps<Field> {
  value?: TextInputProps['value'];
  defaultValue?: TextInputProps['value'];
  onChange?: ChangeEventHandler<Field> | undefined;
}

/** Counts what a field has, whether its value is given or only typed. */
function useCounter<Field extends { value: string }>(
  max: number,
  { value, defaultValue, onChange }: CountedProps<Field>,
) {
  const [typed, setTyped] = useState(() => countCharacters(String(defaultValue ?? '')));
  return {
    onChange: (event: ChangeEvent<Field>) => {
      setTyped(countCharacters(event.currentTarget.value));
      onChange?.(event);
    },
    rightSection: <Counter length={value === undefined ? typed : countCharacters(String(value))} max={max} />,
  };
}

function Counter({ length, max }: { length: number; max: number }) {
  return (
    <Text size="xs" c={length > max ? 'red.8' : 'dimmed'}>
      {length}/{max}
    </Text>
  );
}

/** Focuses the first invalid field. For `form.onSubmit(…, focusFirstError(form))`. */
export function focusFirstError<Values extends Record<string, unknown>>(form: UseFormReturnType<Values>) {
  return (errors: Record<string, unknown>): void => {
    firstNode(form, errors)?.focus();
  };
}

/** The first of the named fields in document order. */
function firstNode<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  errors: Record<string, unknown>,
): HTMLElement | undefined {
  const nodes = Object.keys(errors).flatMap((path) => form.getInputNode(path) ?? []);
  const before = (a: Node, b: Node) =>
    (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return nodes.toSorted((a, b) => (before(a, b) ? -1 : 1))[0];
}

/** Shows the server's field errors at their fields. */
export function showServerErrors<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  error: unknown,
): void {
  const { fields } = error as { fields?: Record<string, string> };
  if (!fields || Object.keys(fields).length === 0) return;
  form.setErrors(fields);
  firstNode(form, fields)?.focus();
}
