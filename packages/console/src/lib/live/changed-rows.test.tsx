import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { markChanged, useIsChanged } from './changed-rows.ts';

const container = document.createElement('div');
const root = createRoot(container);
const Row = () => (useIsChanged('row') ? 'marked' : 'plain');
const waitSeconds = (seconds: number) => act(() => void vi.advanceTimersByTime(seconds * 1000));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  act(() => root.render(createElement(Row)));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a row is marked for four seconds, and another change restarts the four seconds', () => {
  act(() => markChanged(['row', 'other']));
  expect(container.textContent).toBe('marked');
  waitSeconds(3);
  act(() => markChanged(['row']));
  waitSeconds(3);
  expect(container.textContent).toBe('marked');
  waitSeconds(1);
  expect(container.textContent).toBe('plain');
});

test('in a tab that is hidden the mark waits until it is looked at', () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  act(() => markChanged(['row']));
  waitSeconds(60);
  expect(container.textContent).toBe('marked');
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange'));
  waitSeconds(4);
  expect(container.textContent).toBe('plain');
});
