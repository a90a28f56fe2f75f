import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { mapped, useLoadable } from '../../lib/loadable.ts';
import { pickerProps } from '../../ui/form/picker/picker-options.tsx';
import { companiesQuery } from './queries.ts';

interface CompanySelectProps {
  /** The company's id. */
  value: string | null;
  onChange: (uuid: string | null) => void;
  error?: string | undefined;
}

/** For operators: a company, found by name, login or email address. */
export function CompanySelect({ value, onChange, error }: CompanySelectProps) {
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text, 250);
  const [chosen, setChosen] = useState('');
  // The text of the chosen company is no search for another one.
  const search = q === chosen ? '' : q;
  const companies = useLoadable(companiesQuery({ sort: 'name', limit: 20, ...(search && { q: search }) }));
  const choices = mapped(companies, (known) => {
    const found = known.companies.map(({ uuid, name, logins }) => ({
      value: uuid,
      label: `${name} (${logins[0] ?? 'no people'})`,
    }));
    const isListed = value === null || found.some((option) => option.value === value);
    return isListed ? found : [...found, { value, label: chosen }];
  });
  return (
    <Select
      label="Company"
      withAsterisk
      searchable
      data-autofocus
      {...pickerProps(choices, { placeholder: 'Name, login or email', emptyText: 'No company matches' })}
      // The server has searched; a login or an email address is not in every label.
      filter={({ options }) => options}
      searchValue={text}
      onSearchChange={setText}
      value={value}
      onChange={(uuid, option) => {
        setChosen(option?.label ?? '');
        onChange(uuid);
      }}
      error={error}
    />
  );
}
