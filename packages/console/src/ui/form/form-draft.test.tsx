import { MantineProvider } from '@mantine/core';
import { useForm } from '@mantine/form';
import { RouterProvider, createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router';
import { act, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { useFormDraft } from './form-draft.tsx';

const Values = z.object({ name: z.string() });
const KEY = 'bidwell.draft.form';
const NOTICE = 'Your draft was restored. It is not saved yet.';

let unmount = () => {};
let flush = () => {};
beforeEach(() => localStorage.clear());
afterEach(() => unmount());
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

function TestForm() {
  const form = useForm({ initialValues: { name: 'saved' } });
  const draft = useFormDraft({
    key: 'form',
    schema: Values,
    values: form.values,
    dirty: form.isDirty(),
    busy: false,
    onRestore: (values) => form.setValues(values),
    onReset: () => form.reset(),
  });
  useEffect(() => {
    flush = draft.flush;
  }, [draft.flush]);
  return (
    <>
      {draft.notice}
      <input {...form.getInputProps('name')} />
    </>
  );
}

/** Renders the form in a router, which the question before leaving needs. */
async function renderForm() {
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  const router = createRouter({
    routeTree: createRootRoute({ component: TestForm }),
    history: createMemoryHistory(),
  });
  await act(async () => {
    await router.load();
    root.render(
      <MantineProvider>
        <RouterProvider router={router} />
      </MantineProvider>,
    );
  });
  unmount = () => {
    act(() => root.unmount());
    container.remove();
    unmount = () => {};
  };
  const input = container.querySelector('input')!;
  return {
    container,
    name: () => input.value,
    type: (text: string) =>
      act(() => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, text);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }),
  };
}

/** Simulates a reload of the page. */
async function reload() {
  window.dispatchEvent(new Event('pagehide'));
  unmount();
  return renderForm();
}

test('unsaved input returns after a reload with a notice; starting over shows the saved values again', async () => {
  const first = await renderForm();
  expect(first.container.textContent).not.toContain(NOTICE);
  first.type('half');
  const second = await reload();
  expect(second.name()).toBe('half');
  expect(second.container.textContent).toContain(NOTICE);
  const button = second.container.querySelector('button')!;
  expect(button.textContent).toBe('Start over');
  act(() => button.click());
  expect(second.name()).toBe('saved');
  expect(second.container.textContent).not.toContain(NOTICE);
  const third = await reload();
  expect(third.name()).toBe('saved');
  expect(localStorage.getItem(KEY)).toBeNull();
});

test('a saved form leaves no draft', async () => {
  const form = await renderForm();
  form.type('final');
  flush();
  const next = await reload();
  expect(next.name()).toBe('saved');
  expect(next.container.textContent).not.toContain(NOTICE);
});

test('a draft with other fields than the form is ignored', async () => {
  localStorage.setItem(KEY, '{"title":"old"}');
  expect((await renderForm()).name()).toBe('saved');
});
