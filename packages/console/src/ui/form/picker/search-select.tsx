import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { CloseButton, Combobox, Group, Input, InputBase, Stack, Text, useCombobox } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { type ReactNode, type Ref, useState } from 'react';
import { type Loadable, isKnown } from '../../../lib/loadable.ts';
import { SecondaryButton } from '../../layout/buttons.tsx';
import { Caption } from '../../layout/text.tsx';
import { UnknownOptions, unknownOptionText } from './picker-options.tsx';
import { useSearchHistory } from '../../../lib/search-history.ts';

/** An option of a dropdown. */
export interface SearchOption {
  /** The option's uuid, which the search matches as well. */
  value: string;
  label: string;
  /** Second line, below the label. */
  detail?: string | undefined;
}

export interface SearchSelectProps {
  label: string;
  /** Shows the label to screen readers only. */
  hideLabel?: boolean;
  placeholder: string;
  options: Loadable<readonly SearchOption[]>;
  /** Null when nothing is selected. */
  value: string | null;
  onChange: (value: string | null) => void;
  /** Whether the selection can be cleared. */
  clearable?: boolean;
  /** Shown when there are no options. */
  emptyText: string;
  /** Shown below the options. */
  footer?: ReactNode;
  error?: ReactNode;
  disabled?: boolean;
  w?: number | string;
}

/** Maximum number of options rendered; the search finds the others. */
const SHOWN_MAX = 100;

/** A dropdown with a search by name or id, trimmed and without regard to case. */
export function SearchSelect(props: SearchSelectProps) {
  const { label, onChange, footer } = props;
  const hasOptions = isKnown(props.options) && props.options.data.length > 0;
  const [search, setSearch] = useState('');
  const [history, addToHistory] = useSearchHistory(label.toLowerCase());
  const combobox = useCombobox({
    onDropdownOpen: () => {
      combobox.focusSearchInput();
      if (props.options.state === 'failed' && !props.options.isFetching) props.options.retry();
    },
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      combobox.focusTarget();
      setSearch('');
    },
  });
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(option) => {
        addToHistory(search);
        onChange(option);
        combobox.closeDropdown();
      }}
    >
      <Combobox.Target targetType="button">
        <SelectButton {...props} onClick={() => combobox.toggleDropdown()} />
      </Combobox.Target>
      <Combobox.Dropdown miw={260}>
        {hasOptions && (
          <Combobox.Search
            aria-label={`Search ${label}`}
            placeholder="Search by name or id"
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value);
              combobox.resetSelectedOption();
            }}
          />
        )}
        {hasOptions && search === '' && history.length > 0 && (
          <RecentSearches label={label} history={history} onChoose={setSearch} />
        )}
        {isKnown(props.options) ? (
          <Options {...props} options={props.options.data} search={search} />
        ) : (
          <Combobox.Empty>
            <UnknownOptions options={props.options} />
          </Combobox.Empty>
        )}
        {footer && <Combobox.Footer>{footer}</Combobox.Footer>}
      </Combobox.Dropdown>
    </Combobox>
  );
}

interface SelectButtonProps extends SearchSelectProps {
  onClick: () => void;
  ref?: Ref<HTMLButtonElement>;
}

/** The button that shows the selection and opens the dropdown. */
function SelectButton({
  label,
  hideLabel = false,
  placeholder,
  options,
  value,
  onChange,
  clearable = false,
  error,
  disabled = false,
  w,
  emptyText: _emptyText,
  footer: _footer,
  ...target
}: SelectButtonProps) {
  const isClearable = clearable && value !== null;
  const name = value === null ? placeholder : labelOf(options, value);
  return (
    <InputBase
      component="button"
      type="button"
      pointer
      {...target}
      {...(!hideLabel && { label })}
      aria-label={`${label}: ${name}`}
      error={error}
      disabled={disabled}
      w={w}
      rightSection={
        isClearable ? (
          <CloseButton size="sm" aria-label={`Clear ${label}`} onClick={() => onChange(null)} />
        ) : (
          <Combobox.Chevron />
        )
      }
      rightSectionPointerEvents={isClearable ? 'all' : 'none'}
    >
      {value === null ? (
        <Input.Placeholder>{placeholder}</Input.Placeholder>
      ) : (
        <Text span size="sm" truncate display="block">
          {name}
        </Text>
      )}
    </InputBase>
  );
}

/** The name of the selected option; its id where there is none of it. */
function labelOf(options: Loadable<readonly SearchOption[]>, value: string): string {
  if (!isKnown(options)) return unknownOptionText(options);
  return options.data.find((option) => option.value === value)?.label ?? value;
}

interface OptionsProps extends Pick<SearchSelectProps, 'label' | 'value' | 'emptyText'> {
  options: readonly SearchOption[];
  search: string;
}

/** The options that match the search. */
function Options({ label, options, value, emptyText, search }: OptionsProps) {
  const text = search.trim().toLowerCase();
  const found = options.filter((option) => `${option.label} ${option.value}`.toLowerCase().includes(text));
  return (
    <Combobox.Options mah={280} style={{ overflowY: 'auto' }} aria-label={label}>
      {found.slice(0, SHOWN_MAX).map((option) => (
        <Combobox.Option key={option.value} value={option.value} selected={option.value === value}>
          <Stack gap={0}>
            <Text span size="sm" fw={option.value === value ? 600 : undefined}>
              {option.label}
            </Text>
            {option.detail && <Caption span>{option.detail}</Caption>}
          </Stack>
        </Combobox.Option>
      ))}
      {found.length === 0 && (
        <Combobox.Empty>
          {options.length === 0 ? emptyText : consoleMessages.nothingMatches(search.trim())}
        </Combobox.Empty>
      )}
      {found.length > SHOWN_MAX && (
        <Caption px="sm" py={6}>
          {found.length - SHOWN_MAX} more: narrow the search to see them
        </Caption>
      )}
    </Combobox.Options>
  );
}

interface RecentSearchesProps {
  label: string;
  history: readonly string[];
  onChoose: (search: string) => void;
}

/** Recent searches, shown while the search is empty. */
function RecentSearches({ label, history, onChoose }: RecentSearchesProps) {
  return (
    <Group gap={4} px="xs" py={6} role="group" aria-label={`Recent searches of ${label}`}>
      <IconHistory size={14} aria-hidden />
      {history.map((search) => (
        <SecondaryButton
          key={search}
          size="compact-xs"
          maw={160}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(search)}
        >
          {search}
        </SecondaryButton>
      ))}
    </Group>
  );
}
