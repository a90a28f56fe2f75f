import { InternalCreativeUpdate } from '@bidwell/contract/creatives/schema';
import { expect, test } from 'vitest';
import { itemOf } from './upload-list.ts';

test('the title of an upload is the start of its file name, which can be saved', () => {
  const titleOf = (name: string) =>
    itemOf({ file: new File([], name), src: 'blob:1', size: null, error: null }, 'Banner').name;
  expect(titleOf('summer.sale.png')).toBe('summer.sale');
  const long = titleOf(`${'a'.repeat(45)}👩🏽‍🤝‍👨🏿.png`);
  expect(long).toBe('a'.repeat(45));
  expect(titleOf(`${'a'.repeat(49)}😀.png`)).toBe('a'.repeat(49));
  expect(InternalCreativeUpdate.safeParse({ name: long }).success).toBe(true);
});
