import { TextInput } from '@mantine/core';

interface CodeFieldProps {
  label?: string;
  description?: string;
  value: string;
  error?: string | undefined;
  onChange: (code: string) => void;
}

/** The field for a code of an authenticator app or a recovery code. */
export function CodeField({ label = 'Code', description, value, error, onChange }: CodeFieldProps) {
  return (
    <TextInput
      label={label}
      description={description}
      w="100%"
      autoFocus
      data-autofocus
      autoComplete="one-time-code"
      maxLength={60}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
