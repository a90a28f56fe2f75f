import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { failureText } from '../../../lib/api/api-error.ts';
import { type Loadable, isKnown } from '../../../lib/loadable.ts';
import { SecondaryButton } from '../../layout/buttons.tsx';
import { Muted } from '../../layout/text.tsx';

interface PickerOption {
  value: string;
  label: string;
}

interface PickerTexts {
  placeholder?: string | undefined;
  /** Shown where there is nothing to choose. */
  emptyText: string;
}

interface PickerProps<Option> {
  data: readonly Option[];
  placeholder: string;
  nothingFoundMessage: ReactNode;
  onDropdownOpen: () => void;
}

/**
 * The props of a Select or a MultiSelect whose options are loaded. Until they are known its dropdown shows that they load,
 * or why they could not be loaded and a button that tries again; a dropdown that is opened tries again by itself. `chosen` are
 * values without a name until then.
 */
export function pickerProps<Option extends PickerOption | { group: string; items: PickerOption[] }>(
  options: Loadable<readonly Option[]>,
  { placeholder, emptyText }: PickerTexts,
  chosen: readonly string[] = [],
): PickerProps<Option | PickerOption> {
  const known = isKnown(options);
  return {
    data: known ? options.data : chosen.map((value) => ({ value, label: unknownOptionText(options) })),
    placeholder: known ? (placeholder ?? '') : unknownOptionText(options),
    nothingFoundMessage: known ? (
      options.data.length === 0 ? (
        emptyText
      ) : (
        consoleMessages.noOptionMatches
      )
    ) : (
      <UnknownOptions options={options} />
    ),
    onDropdownOpen: () => {
      if (options.state === 'failed' && !options.isFetching) options.retry();
    },
  };
}

/** In a dropdown in place of options that are not known: that they load, or why they could not be loaded. */
export function UnknownOptions({ options, what = 'The options' }: { options: Loadable; what?: string }) {
  const { state, error, isFetching, retry } = options;
  if (state !== 'failed') return <Muted role="status">{unknownOptionText(options)}</Muted>;
  return (
    <Stack gap={6} align="center" role="alert">
      <Text size="sm">
        {consoleMessages.figuresFailed(what)} {error && failureText(error)}
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        loading={isFetching}
        // The field keeps the focus, without which its dropdown closes.
        onMouseDown={(event) => event.preventDefault()}
        onClick={retry}
      >
        Try again
      </Button>
    </Stack>
  );
}

/** Below a field for any text whose suggestions are not known: that they load, or why they could not be loaded. */
export function UnknownSuggestions({ of: { state, error, isFetching, retry } }: { of: Loadable }) {
  if (state === 'loading') return consoleMessages.suggestionsLoading;
  if (state !== 'failed') return null;
  return (
    <>
      {consoleMessages.figuresFailed('The suggestions')} {error && failureText(error)}{' '}
      <SecondaryButton size="compact-xs" loading={isFetching} onClick={retry}>
        Try again
      </SecondaryButton>
    </>
  );
}

/** In a picker in place of the name of an option that is not known. Pure. */
export const unknownOptionText = ({ state }: Loadable): string =>
  state === 'failed' ? consoleMessages.optionsFailed : consoleMessages.optionsLoading;
