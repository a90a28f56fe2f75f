import { COUNTRY_CODES } from '@bidwell/contract/reference/country-codes';
import type { MantineStyleProps } from '@mantine/core';
import { useMemo } from 'react';
import { Choice } from '../../ui/form/choice.tsx';

interface CodeInputProps {
  label: string;
  /** A code; '' for none. */
  value: string;
  onChange: (code: string) => void;
  error?: React.ReactNode;
  required?: boolean;
  description?: string;
  placeholder?: string;
  w?: MantineStyleProps['w'];
}

/** Options that are shown of a long list; the search finds the others. */
const SHOWN_MAX = 100;

/** A country, by its name or its code of ISO 3166-1. */
export function CountryInput(props: CodeInputProps) {
  const data = useMemo(() => optionsOf('region', COUNTRY_CODES, props.value), [props.value]);
  return <CodeInput data={data} {...props} />;
}

/** A currency other than the dollar, by its name or its code of ISO 4217. */
export function CurrencyInput(props: CodeInputProps) {
  const data = useMemo(() => {
    const codes = Intl.supportedValuesOf('currency').filter((code) => code !== 'USD');
    return optionsOf('currency', codes, props.value);
  }, [props.value]);
  return <CodeInput data={data} {...props} />;
}

function CodeInput({
  value,
  onChange,
  required = false,
  ...props
}: CodeInputProps & { data: { value: string; label: string }[] }) {
  return (
    <Choice
      {...props}
      searchable
      limit={SHOWN_MAX}
      clearable={!required}
      withAsterisk={required}
      nothingFoundMessage="Nothing found"
      value={value === '' ? null : value}
      onChange={(code) => onChange(code ?? '')}
    />
  );
}

/** Names with their codes in alphabetical order, with a code that was saved and is no longer in the list. */
function optionsOf(type: 'region' | 'currency', codes: readonly string[], saved: string) {
  const names = new Intl.DisplayNames('en', { type });
  const all = saved === '' || codes.includes(saved) ? codes : [...codes, saved];
  return all
    .map((code) => ({ value: code, label: `${names.of(code) ?? code} (${code})` }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'));
}
