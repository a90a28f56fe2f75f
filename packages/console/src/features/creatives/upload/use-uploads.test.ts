import type { Creative } from '@bidwell/contract/creatives/schema';
import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { messages } from '@bidwell/contract/text/messages';
import { expect, test } from 'vitest';
import { detailsOf, detailsSchema, detailsWithoutUrls, emptyDetails } from './upload-details.ts';
import { type UploadItem, itemOf, uploadForm } from './upload-list.ts';
import { itemError, uploadableSizes } from './use-uploads.ts';

const file = (name: string) => new File(['x'], name);
const local = (name: string, error: string | null = null) => ({
  file: file(name),
  src: '',
  size: null,
  error,
});
const item = (over: Partial<UploadItem> = {}): UploadItem => ({
  ...itemOf(local('Spring sale.final.png'), 'Banner'),
  ...over,
});
const details = {
  app_id: 'a',
  description: '',
  title: 'Play',
  sponsor: '',
  click_url: 'https://c?id={click_id}',
  view_url: 'https://v',
};

test('an upload with fields for the URLs requires both, and sends the ones that differ from the tracking link', () => {
  const form = { ...emptyDetails, app_id: '01890000-0000-7000-8000-000000000001' };
  const messagesOf = (values: typeof form) =>
    detailsSchema.safeParse(values).error?.issues.map(({ path, message }) => [path[0], message]);
  expect(messagesOf(form)).toEqual([
    ['click_url', messages.required],
    ['view_url', messages.required],
  ]);
  expect(messagesOf({ ...form, click_url: 'javascript:1', view_url: 'view' })).toEqual([
    ['click_url', messages.httpUrl],
    ['view_url', messages.httpUrl],
  ]);
  const urls = { click_url: 'https://c.example?id={click_id}', view_url: 'https://v.example' };
  expect(messagesOf({ ...form, ...urls })).toBeUndefined();
  expect(detailsOf({ ...form, ...urls }, 'Banner', urls)).toMatchObject({ click_url: '', view_url: '' });
  expect(detailsOf({ ...form, ...urls }, 'Banner', null)).toMatchObject(urls);
  // A drawer has no such fields.
  expect(detailsWithoutUrls.safeParse(form).error).toBeUndefined();
});

test('a creative is named after its file', () => {
  expect(item().name).toBe('Spring sale.final');
  expect(itemOf(local(`${'x'.repeat(80)}.png`), 'Banner').name).toHaveLength(50);
});

test('an item has the message of its first error', () => {
  expect(itemError(item(), 0)).toBeNull();
  expect(itemError(item({ main: local('a.png', 'wrong'), name: '' }), 20)).toBe('wrong');
  expect(itemError(item({ name: '' }), 20)).toBe(creativeMessages.bannerLimit);
  expect(itemError(item({ name: ' ' }), 0)).toBe('Title: Required');
  expect(itemError(item({ endCard: local('e.png', 'square') }), 0)).toBe('square');
  // Already uploaded, so the limit no longer applies: only its URLs are missing.
  expect(itemError(item({ uploaded: { uuid: 'c', assetUuid: 'a', type: 'Banner' } }), 20)).toBeNull();
});

test('the multipart form has the fields of the API, without empty ones', () => {
  const [clip, card] = [file('v.mp4'), file('e.png')];
  const video = uploadForm({ name: 'V', type: 'Video', main: clip, endCard: card }, details);
  expect([...video.keys()]).toEqual(['name', 'type', 'app_id', 'title', 'video', 'banner']);
  const native = uploadForm({ name: 'N', type: 'Native', main: card, endCard: null }, details);
  expect([...native.keys()]).toEqual(['name', 'type', 'app_id', 'title', 'banner']);
  const playable = uploadForm({ name: 'P', type: 'Playable', main: clip, endCard: null }, details);
  expect([...playable.keys()].at(-1)).toBe('playable');
});

test('files above an app’s limit, and files with a fault, cover no size', () => {
  const banner = { internal_creative: { type: 'Banner' } } as Creative;
  const files = Array.from({ length: 23 }, () => item());
  expect(
    uploadableSizes(
      files,
      Array.from({ length: 12 }, () => banner),
    ),
  ).toHaveLength(8);
  expect(uploadableSizes([item({ main: local('a.png', 'wrong') })], [])).toEqual([]);
});
