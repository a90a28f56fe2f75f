import { MantineProvider } from '@mantine/core';
import { act, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { MoneyInput } from './money-input.tsx';
import { OptionalMoneyInput } from './optional-money-input.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
let unmount = () => {};
afterEach(() => unmount());

/** Renders a field that has $50, and returns what it shows and what its form has. */
function renderField(Field: typeof MoneyInput) {
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  const held: { dollars: number | null } = { dollars: 50 };
  function Form() {
    const [value, setValue] = useState<number | null>(50);
    const change = (dollars: number | null) => {
      held.dollars = dollars;
      setValue(dollars);
    };
    return <Field label="Daily budget" value={value} onChange={change} />;
  }
  act(() =>
    root.render(
      <MantineProvider>
        <Form />
      </MantineProvider>,
    ),
  );
  unmount = () => {
    act(() => root.unmount());
    container.remove();
  };
  const input = container.querySelector('input')!;
  return {
    dollars: () => held.dollars,
    shown: () => [input.value, container.querySelector('.mantine-TextInput-error')?.textContent],
    type: (text: string) =>
      act(() => {
        input.focus();
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, text);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    leave: () => act(() => input.blur()),
  };
}

const Budget: typeof MoneyInput = (props) => <OptionalMoneyInput {...props} choice="Unlimited" />;

test.each(['1e3', '12,34,567', 'abc', '½'])(
  'the text %s stays in the field with what is allowed, and is not the amount before',
  (text) => {
    const field = renderField(MoneyInput);
    field.type(text);
    field.leave();
    expect(field.shown()).toEqual([text, 'Enter an amount in digits, such as 1,234.50']);
    expect(field.dollars()).toBeNaN();
    field.type('60');
    field.leave();
    expect([field.shown(), field.dollars()]).toEqual([['$60.00', undefined], 60]);
  },
);

test('a budget of less than a cent stays in the field with the least amount, and is no valid budget', () => {
  const field = renderField(Budget);
  field.type('0.001');
  field.leave();
  expect(field.shown()).toEqual(['0.001', 'Enter at least $0.01']);
  expect(field.dollars()).toBe(0);
  field.type('');
  expect([field.shown(), field.dollars()]).toEqual([['', undefined], 0]);
});

test('a group of thousands is no error while it is typed', () => {
  const field = renderField(Budget);
  field.type('1,234,5');
  expect(field.shown()).toEqual(['1,234,5', undefined]);
  field.leave();
  expect(field.shown()).toEqual(['1,234,5', 'Enter an amount in digits, such as 1,234.50']);
});
