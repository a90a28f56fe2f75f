import { MantineProvider } from '@mantine/core';
import { type ReactNode, act } from 'react';
import { createRoot } from 'react-dom/client';

// React tells of what is drawn outside of `act` only where this is set.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const { set: setValue } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!;

/** An otherwise empty page, on which a test draws a component and does what a person does. */
export function testPage() {
  const page = document.createElement('div');
  document.body.replaceChildren(page);
  const root = createRoot(page);
  return {
    page,
    /** Draws the component, or draws it again with other properties. */
    draw: async (component: ReactNode) =>
      act(async () => root.render(<MantineProvider env="test">{component}</MantineProvider>)),
    /** The field of this name; without a name the only one. */
    field: (name?: string) =>
      page.querySelector<HTMLInputElement>(name === undefined ? 'input' : `input[name=${name}]`)!,
    /** Replaces what a field has. */
    type: async (field: HTMLInputElement, text: string) =>
      act(async () => {
        setValue!.call(field, text);
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    /** Clicks on the button with this text or label, which may be in a dialog. */
    press: async (name: string) =>
      act(async () =>
        [...document.querySelectorAll('button')]
          .find((button) => [button.textContent, button.getAttribute('aria-label')].includes(name))!
          .click(),
      ),
    submit: async () => act(async () => page.querySelector('form')!.requestSubmit()),
    /** The text of the alert; null without one. */
    alert: () => page.querySelector('[role=alert]')?.textContent ?? null,
    close: async () => act(async () => root.unmount()),
  };
}
