import type { TextInputProps, TextareaProps } from '@mantine/core';
import { NumberInput, Text, TextInput, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';

/** A text field with a counter of its length. */
export function CountedInput({ maxLength, onChange, ...props }: TextInputProps & { maxLength: number }) {
  const [typed, setTyped] = useState(String(props.defaultValue ?? '').length);
  return (
    <TextInput
      {...props}
      onChange={(event) => {
        setTyped(event.currentTarget.value.length);
        onChange?.(event);
      }}
      rightSection={
        <Counter length={props.value === undefined ? typed : String(props.value).length} max={maxLength} />
      }
      rightSectionWidth={64}
    />
  );
}

/** A text area with a counter of its length. */
export function CountedTextarea({ maxLength, onChange, ...props }: TextareaProps & { maxLength: number }) {
  const [typed, setTyped] = useState(String(props.defaultValue ?? '').length);
  return (
    <Textarea
      autosize
      minRows={2}
      maxRows={6}
      {...props}
      onChange={(event) => {
        setTyped(event.currentTarget.value.length);
        onChange?.(event);
      }}
      rightSection={
        <Counter length={props.value === undefined ? typed : String(props.value).length} max={maxLength} />
      }
      rightSectionWidth={72}
    />
  );
}

function Counter({ length, max }: { length: number; max: number }) {
  return (
    <Text size="xs" c={length > max ? 'red.8' : 'dimmed'}>
      {length}/{max}
    </Text>
  );
}

export interface MoneyInputProps {
  label: string;
  description?: string;
  /** Dollars; null when empty. */
  value: number | null;
  onChange: (dollars: number | null) => void;
  error?: React.ReactNode;
  required?: boolean;
  placeholder?: string;
  /** Dollars; input is clamped to it. Without it the form validates the maximum. */
  max?: number;
  /** Focuses the field when a dialog opens. */
  autoFocus?: boolean;
}

/** Dollars with two decimal places. A minus sign stays as typed, so that the form rejects it. */
export function MoneyInput({
  value,
  onChange,
  required = false,
  autoFocus = false,
  ...props
}: MoneyInputProps) {
  // The text as it was typed since the field was focused; both decimal places come back when the focus leaves. A text that
  // changed on focus would lose its selection, and what is typed over it would be added to it.
  const [typed, setTyped] = useState<string | null>(null);
  const isTyped = typed !== null && readAmount(typed) === value;
  return (
    <NumberInput
      {...props}
      // As browsers do for the Tab key, which dialogs handle themselves. A click then moves the cursor.
      onFocusCapture={({ currentTarget }) => currentTarget.select()}
      onBlur={() => setTyped(null)}
      value={isTyped ? typed : (value?.toFixed(2) ?? '')}
      onChange={(input) => {
        setTyped(String(input));
        onChange(readAmount(String(input)));
      }}
      prefix="$"
      decimalScale={2}
      clampBehavior={props.max === undefined ? 'none' : 'strict'}
      thousandSeparator=" "
      autoFocus={autoFocus}
      hideControls
      withAsterisk={required}
    />
  );
}

/** Parses the input; a lone minus sign is no amount yet. */
function readAmount(input: string): number | null {
  return input === '' || input === '-' ? null : Number(input);
}

/** Focuses the first invalid field. For `form.onSubmit(…, focusFirstError(form))`. */
export function focusFirstError<Values extends Record<string, unknown>>(form: UseFormReturnType<Values>) {
  return (errors: Record<string, unknown>): void => {
    firstNode(form, errors)?.focus();
  };
}

/** Of the named fields, the first in document order. */
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
