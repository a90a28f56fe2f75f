import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { messages } from '@bidwell/contract/text/messages';
import { expect, test } from 'vitest';
import { creativeLists } from '../../entities/creatives/creative-lists.ts';
import { emptyGroup, groupErrors } from './group-values.ts';

const named = { ...emptyGroup, name: 'Spring' };
const uuid = '01890000-0000-7000-8000-000000000001';

test('the videos are required as long as no creative of any type is chosen', () => {
  expect(groupErrors(named)).toEqual({ video_creatives: messages.required });
  for (const list of Object.values(creativeLists))
    expect(groupErrors({ ...named, [list]: [uuid] })).toEqual({});
});

test('every other field has its own error next to it', () => {
  const values = { ...named, name: 'x'.repeat(51), native_description: 'x'.repeat(91) };
  expect(groupErrors(values)).toEqual({
    name: creativeMessages.groupTitleTooLong,
    native_description: 'At most 90 characters',
    video_creatives: messages.required,
  });
});
