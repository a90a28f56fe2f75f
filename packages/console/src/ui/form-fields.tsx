import type { TextInputProps, TextareaProps } from '@mantine/core';
import { NumberInput, Text, TextInput, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';

/** A text field that shows how much of its length is used. */
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

/** A longer text with its counter. */
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
  /** Dollars; typing stops there. Without it the form says what is too much. */
  max?: number;
  /** The first thing that a dialog focuses. */
  autoFocus?: boolean;
}

/** Dollars with two decimals. A minus sign stays as it was typed: the form refuses it, rather than guess. */
export function MoneyInput({
  value,
  onChange,
  required = false,
  autoFocus = false,
  ...props
}: MoneyInputProps) {
  // Zeros that come and go beneath the cursor would be in the way.
  const [typing, setTyping] = useState(false);
  return (
    <NumberInput
      {...props}
      onFocus={() => setTyping(true)}
      onBlur={() => setTyping(false)}
      fixedDecimalScale={!typing}
      value={value ?? ''}
      onChange={(input) => onChange(typeof input === 'number' ? input : readAmount(input))}
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

/** What is typed so far; a sign alone is no amount yet. */
function readAmount(input: string): number | null {
  return input === '' || input === '-' ? null : Number(input);
}

/** Puts the cursor into the first field that has an error. For `form.onSubmit(…, focusFirstError(form))`. */
export function focusFirstError<Values extends Record<string, unknown>>(form: UseFormReturnType<Values>) {
  return (errors: Record<string, unknown>): void => {
    firstNode(form, errors)?.focus();
  };
}

/** Of the fields that are named, the one that stands first on the page. */
function firstNode<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  errors: Record<string, unknown>,
): HTMLElement | undefined {
  const nodes = Object.keys(errors).flatMap((path) => form.getInputNode(path) ?? []);
  const before = (a: Node, b: Node) =>
    (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return nodes.toSorted((a, b) => (before(a, b) ? -1 : 1))[0];
}

/** Shows the server's field errors beneath their fields. */
export function showServerErrors<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  error: unknown,
): void {
  const { fields } = error as { fields?: Record<string, string> };
  if (!fields || Object.keys(fields).length === 0) return;
  form.setErrors(fields);
  firstNode(form, fields)?.focus();
}
