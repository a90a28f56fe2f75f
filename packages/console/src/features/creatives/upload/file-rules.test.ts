import { bannerResolutions } from '@bidwell/contract/creatives/schema';
import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { expect, test } from 'vitest';
import { countError, fileError } from './file-rules.ts';

const properties = (name: string, width?: number, height?: number, sizeBytes = 1000) => ({
  name,
  sizeBytes,
  size: width && height ? { width, height } : null,
});
const error = (type: Parameters<typeof fileError>[0], file: ReturnType<typeof properties>) =>
  fileError(type, file, bannerResolutions);

test('a banner has a size of the banner groups, not one of the native group', () => {
  expect(error('Banner', properties('a.png', 320, 50))).toBeNull();
  expect(error('Banner', properties('A.JPEG', 1080, 1920))).toBeNull();
  expect(error('Banner', properties('a.png', 321, 50))).toBe(
    'The uploaded creative is 321×50 px, which isn’t supported for this placement. Check the allowed sizes in tooltip and upload a file that matches one of them.',
  );
  expect(error('Banner', properties('a.png', 627, 627))).toBe(creativeMessages.wrongBannerSize(627, 627));
  expect(error('Native', properties('a.png', 320, 50))).toBe(creativeMessages.wrongBannerSize(320, 50));
  expect(error('Native', properties('a.gif', 627, 627))).toBeNull();
});

test('each type accepts its file formats', () => {
  for (const [type, name, allowed] of [
    ['Banner', 'a.gif', '.jpeg, .jpg, .png'],
    ['Native', 'a.webp', '.jpeg, .jpg, .png, .gif'],
    ['Playable', 'a.zip', '.html'],
    ['Video', 'a.avi', '.mp4, .mov'],
    ['EndCard', 'a.gif', '.jpeg, .jpg, .png'],
  ] as const) {
    expect(error(type, properties(name, 320, 50))).toBe(`Invalid file type. Allowed: ${allowed}`);
  }
  expect(error('Playable', properties('game.html'))).toBeNull();
  expect(error('Banner', properties('broken.png'))).toMatch(/^The image is damaged/);
  expect(error('Banner', properties('empty.png', 320, 50, 0))).toBe('The file is empty');
});

test('videos and their end cards are not square', () => {
  expect(error('Video', properties('v.mp4', 1920, 1080))).toBeNull();
  expect(error('Video', properties('v.mov'))).toBeNull();
  expect(error('Video', properties('v.mp4', 600, 600))).toMatch(/^The uploaded video is 600x600 px/);
  expect(error('EndCard', properties('e.jpg', 1280, 720))).toBeNull();
  expect(error('EndCard', properties('e.jpg', 720, 720))).toBe(creativeMessages.wrongBannerSize(720, 720));
});

test('a file has a maximum size', () => {
  expect(error('Banner', properties('a.png', 320, 50, 5 * 1024 * 1024))).toBeNull();
  expect(error('Banner', properties('a.png', 320, 50, 5 * 1024 * 1024 + 1))).toBe(
    '"a.png" is larger than 5 MB',
  );
  expect(error('Video', properties('v.mp4', 320, 50, 100 * 1024 * 1024 + 1))).toBe(
    '"v.mp4" is larger than 100 MB',
  );
});

test('an app has at most twenty creatives of a type', () => {
  expect(countError('Banner', 19)).toBeNull();
  expect(countError('Banner', 20)).toBe(
    'Creative limit reached. Up to 20 Banners per creative type. Current: 20.',
  );
  expect(countError('Video', 20)).toMatch('Up to 20 Videos');
});
