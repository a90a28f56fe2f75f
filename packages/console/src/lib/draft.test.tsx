import { act, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { claimDrafts, deleteDrafts, readDraft, useDraft } from './draft.ts';

const Form = z.object({ name: z.string() });

beforeEach(() => localStorage.clear());
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

/** Renders a form that keeps a draft; returns how to set its value, flush the draft and unmount the form. */
function showForm() {
  const root = createRoot(document.createElement('div'));
  let flush = () => {};
  function Shown({ value }: { value: z.infer<typeof Form> | null }) {
    const flushDraft = useDraft('form', value);
    useEffect(() => {
      flush = flushDraft;
    }, [flushDraft]);
    return null;
  }
  return {
    type: (value: z.infer<typeof Form> | null) => act(() => root.render(<Shown value={value} />)),
    flush: () => flush(),
    unmount: () => act(() => root.unmount()),
  };
}

/** Simulates a reload of the page. */
const leave = () => window.dispatchEvent(new Event('pagehide'));

test('input is there after a reload, and gone once it is flushed', () => {
  const form = showForm();
  form.type(null);
  form.type({ name: 'half' });
  leave();
  expect(readDraft('form', Form)).toEqual({ name: 'half' });
  form.flush();
  expect(readDraft('form', Form)).toBeNull();
  leave();
  form.unmount();
  expect(readDraft('form', Form)).toBeNull();
});

test('a form that is saved right after a change keeps no draft', () => {
  vi.useFakeTimers();
  try {
    const form = showForm();
    form.type({ name: 'whole' });
    form.flush();
    vi.runAllTimers();
    expect(readDraft('form', Form)).toBeNull();
    form.unmount();
  } finally {
    vi.useRealTimers();
  }
});

test('a form that is as it was saved keeps no draft', () => {
  const form = showForm();
  form.type({ name: 'typed' });
  leave();
  form.type(null);
  form.unmount();
  expect(readDraft('form', Form)).toBeNull();
});

test('a draft of another shape, or a broken one, is ignored', () => {
  localStorage.setItem('bidwell.draft.form', '{"name":1}');
  expect(readDraft('form', Form)).toBeNull();
  localStorage.setItem('bidwell.draft.form', '{');
  expect(readDraft('form', Form)).toBeNull();
});

test('drafts belong to the person who typed them, and end with the session', () => {
  localStorage.setItem('bidwell.draft.form', '{"name":"mine"}');
  localStorage.setItem('bidwell.highlights', '[]');
  claimDrafts('me');
  localStorage.setItem('bidwell.draft.form', '{"name":"mine"}');
  claimDrafts('me');
  expect(readDraft('form', Form)).toEqual({ name: 'mine' });
  claimDrafts('another');
  expect(readDraft('form', Form)).toBeNull();
  localStorage.setItem('bidwell.draft.form', '{"name":"theirs"}');
  deleteDrafts();
  expect(readDraft('form', Form)).toBeNull();
  expect(localStorage.getItem('bidwell.highlights')).toBe('[]');
});
