import { bannerResolutions } from '@bidwell/contract/creative';
import { messages } from '@bidwell/contract/messages';
import { expect, test } from 'vitest';
import { faultOfCount, faultOfFile } from './file-rules.ts';

const facts = (name: string, width?: number, height?: number, sizeBytes = 1000) => ({
  name,
  sizeBytes,
  size: width && height ? { width, height } : null,
});
const fault = (type: Parameters<typeof faultOfFile>[0], file: ReturnType<typeof facts>) =>
  faultOfFile(type, file, bannerResolutions);

test('a banner has one of the sizes of its groups, and not one of the native ones', () => {
  expect(fault('Banner', facts('a.png', 320, 50))).toBeNull();
  expect(fault('Banner', facts('A.JPEG', 1080, 1920))).toBeNull();
  expect(fault('Banner', facts('a.png', 321, 50))).toBe(
    'The uploaded creative is 321×50 px, which isn’t supported for this placement. Check the allowed sizes in tooltip and upload a file that matches one of them.',
  );
  expect(fault('Banner', facts('a.png', 627, 627))).toBe(messages.wrongBannerSize(627, 627));
  expect(fault('Native', facts('a.png', 320, 50))).toBe(messages.wrongBannerSize(320, 50));
  expect(fault('Native', facts('a.gif', 627, 627))).toBeNull();
});

test('each type has its kinds of file', () => {
  for (const [type, name] of [
    ['Banner', 'a.gif'],
    ['Native', 'a.webp'],
    ['Playable', 'a.zip'],
    ['Video', 'a.avi'],
    ['EndCard', 'a.gif'],
  ] as const) {
    expect(fault(type, facts(name, 320, 50))).toBe(messages.invalidFileType);
  }
  expect(fault('Playable', facts('game.html'))).toBeNull();
  expect(fault('Banner', facts('broken.png'))).toBe(messages.invalidFileType);
  expect(fault('Banner', facts('empty.png', 320, 50, 0))).toBe(messages.invalidFileType);
});

test('videos and their end cards are not square', () => {
  expect(fault('Video', facts('v.mp4', 1920, 1080))).toBeNull();
  expect(fault('Video', facts('v.mov'))).toBeNull();
  expect(fault('Video', facts('v.mp4', 600, 600))).toMatch(/^The uploaded video is 600x600 px/);
  expect(fault('EndCard', facts('e.jpg', 1280, 720))).toBeNull();
  expect(fault('EndCard', facts('e.jpg', 720, 720))).toBe(messages.wrongBannerSize(720, 720));
});

test('a file has at most its bytes', () => {
  expect(fault('Banner', facts('a.png', 320, 50, 5 * 1024 * 1024))).toBeNull();
  expect(fault('Banner', facts('a.png', 320, 50, 5 * 1024 * 1024 + 1))).toBe('"a.png" is larger than 5 MB');
  expect(fault('Video', facts('v.mp4', 320, 50, 100 * 1024 * 1024 + 1))).toBe(
    '"v.mp4" is larger than 100 MB',
  );
});

test('twenty of each type is all', () => {
  expect(faultOfCount('Banner', 19)).toBeNull();
  expect(faultOfCount('Banner', 20)).toBe(
    'Creative limit reached. Up to 20 Banners per creative type. Current: 20.',
  );
  expect(faultOfCount('Video', 20)).toMatch('Up to 20 Videos');
});
