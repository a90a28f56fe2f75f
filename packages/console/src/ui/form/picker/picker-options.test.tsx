import { messages } from '@bidwell/contract/text/messages';
import { MultiSelect, Select } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { withoutServerText } from '../../../lib/api/api-error.ts';
import { type Loadable, knownAs, notLoaded } from '../../../lib/loadable.ts';
import { testPage } from '../../../lib/test-page.tsx';
import { pickerProps } from './picker-options.tsx';
import { SearchSelect } from './search-select.tsx';

let close: () => Promise<void>;
afterEach(async () => close());

type Options = Loadable<readonly { value: string; label: string }[]>;

let retried = 0;
const failed: Options = {
  state: 'failed',
  error: withoutServerText(502, 'x'),
  isFetching: false,
  retry: () => {
    retried += 1;
  },
};
const texts = { placeholder: 'Any target', emptyText: 'No target of that name' };
const ignore = () => {};

/** The pickers that options are chosen with, each with a choice that was made before, or without one. */
const pickers: Record<string, (options: Options, chosen: string | null) => ReactNode> = {
  SearchSelect: (options, chosen) => (
    <SearchSelect label="Target" {...texts} options={options} value={chosen} onChange={ignore} />
  ),
  Select: (options, chosen) => (
    <Select label="Target" {...pickerProps(options, texts)} value={chosen} onChange={ignore} />
  ),
  MultiSelect: (options, chosen) => {
    const value = chosen === null ? [] : [chosen];
    return (
      <MultiSelect
        label="Target"
        hidePickedOptions
        {...pickerProps(options, texts, value)}
        value={value}
        onChange={ignore}
      />
    );
  },
};

/** Renders a picker and opens it; returns all that is read in it. */
async function opened(picker: ReactNode) {
  const { page: container, draw, press, ...page } = testPage();
  close = page.close;
  await draw(<QueryClientProvider client={new QueryClient()}>{picker}</QueryClientProvider>);
  const field = container.querySelector<HTMLElement>('button, input:not([type=hidden])')!;
  await act(async () => field.click());
  const inputs = [...document.querySelectorAll<HTMLInputElement>('input:not([type=hidden])')];
  return {
    text: [document.body.textContent, ...inputs.map(({ value, placeholder }) => value || placeholder)].join(
      ' ',
    ),
    isDisabled: field.hasAttribute('disabled'),
    tryAgain: () => press('Try again'),
  };
}

test.each(Object.entries(pickers))('a %s whose options load says so', async (_, picker) => {
  for (const chosen of [null, 'id-1']) {
    const { text, isDisabled } = await opened(picker(notLoaded, chosen));
    expect(text).toContain('Loading…');
    expect(text).not.toMatch(/No target|Nothing matches|id-1/);
    expect(isDisabled).toBe(false);
  }
});

test.each(Object.entries(pickers))(
  'a %s whose options failed says why, and tries again when it is opened and by a button',
  async (_, picker) => {
    retried = 0;
    const { text, tryAgain } = await opened(picker(failed, null));
    expect(text).toContain(`The options could not be loaded. ${messages.serverError}`);
    expect(text).not.toMatch(/No target|Nothing matches/);
    expect(retried).toBe(1);
    await tryAgain();
    expect(retried).toBe(2);
  },
);

test.each(Object.entries(pickers))(
  'a %s offers the known options, or says that there are none',
  async (_, picker) => {
    expect((await opened(picker(knownAs([{ value: 'id-1', label: 'Berlin' }]), null))).text).toContain(
      'Berlin',
    );
    expect((await opened(picker(knownAs([]), null))).text).toContain('No target of that name');
  },
);
