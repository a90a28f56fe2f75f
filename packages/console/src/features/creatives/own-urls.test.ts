import type { TrackingLink } from '@bidwell/contract/tracking-links/schema';
import { expect, test } from 'vitest';
import { filledUrls, ownUrls } from './own-urls.ts';

const link = (app: string, name: string, archived_at: string | null = null) =>
  ({
    app: { uuid: app },
    click_url: `https://click.example/${name}`,
    view_url: `https://view.example/${name}`,
    archived_at,
  }) as TrackingLink;
const links = [
  link('b', 'other'),
  link('a', 'old', '2026-01-01T00:00:00.000Z'),
  link('a', 'new'),
  link('a', 'first'),
];

test('the form of a creative is filled from the newest tracking link of its app', () => {
  expect(filledUrls(links, 'a')).toEqual({
    click_url: 'https://click.example/new',
    view_url: 'https://view.example/new',
  });
  expect(filledUrls(links, 'c')).toBeNull();
});

test('URLs with which the form was filled belong to the tracking link, other URLs to the creative', () => {
  const filled = filledUrls(links, 'a')!;
  expect(ownUrls(filled, filled)).toEqual({ click_url: '', view_url: '' });
  const changed = { ...filled, click_url: 'https://own.example' };
  expect(ownUrls(changed, filled)).toEqual(changed);
  expect(ownUrls(filled, null)).toEqual(filled);
});
