import { expect, test } from 'vitest';
import { UploadFields } from '../creatives/schema.ts';
import { CreativeGroupInput } from '../creative-groups/schema.ts';
import { countCharacters } from './characters.ts';
import { description, requiredName, title } from './wire.ts';

const family = '👨‍👩‍👧‍👦';
const wales = '🏴󠁧󠁢󠁷󠁬󠁳󠁿';

test('an emoji is one character, and so is a letter with its marks', () => {
  expect([`Go${family}`, wales, '👍🏽!', 'é', '', 'plain'].map(countCharacters)).toEqual([3, 1, 2, 1, 0, 5]);
});

test('limits of texts count an emoji as one character', () => {
  const schemas = [
    [title(), 50],
    [description, 200],
    [requiredName(30), 30],
    [UploadFields.shape.title, 70],
    [CreativeGroupInput.shape.native_description, 90],
  ] as const;
  for (const [schema, max] of schemas) {
    const longest = `${family.repeat(max - 1)}${wales}`;
    expect(schema.safeParse(longest)).toMatchObject({ success: true, data: longest });
    expect(schema.safeParse(`${longest}!`).error?.issues).toMatchObject([
      { message: expect.stringContaining(String(max)) },
    ]);
  }
});

test('letters with stacked marks are bounded all the same', () => {
  expect(title().safeParse(`a${'\u0301'.repeat(800)}`).success).toBe(false);
});
