import type { Creative, CreativeType } from '@bidwell/contract/creatives/schema';
import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { expect, test } from 'vitest';
import { importLimitError } from './import-creatives.ts';

const creatives = (type: CreativeType, count: number, app: string) =>
  Array.from({ length: count }, () => ({ internal_creative: { type }, app: { uuid: app } }) as Creative);

test('an app takes as many creatives of a type as its limit leaves', () => {
  const present = [...creatives('Banner', 18, 'to'), ...creatives('Banner', 20, 'from')];
  expect(importLimitError(creatives('Banner', 2, 'from'), present, 'to')).toBeNull();
  expect(importLimitError(creatives('Banner', 3, 'from'), present, 'to')).toBe(
    'Creative limit reached. Up to 20 Banners per creative type. There are 18 in this app now.',
  );
  expect(importLimitError(creatives('Native', 20, 'from'), present, 'to')).toBeNull();
});

test('an app at its limit takes none', () => {
  const present = creatives('Video', 20, 'to');
  expect(importLimitError(creatives('Video', 1, 'from'), present, 'to')).toBe(creativeMessages.videoLimit);
  expect(importLimitError([], present, 'to')).toBeNull();
});
