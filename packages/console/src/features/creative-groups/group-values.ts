import type { Creative } from '@bidwell/contract/creatives/schema';
import { type CreativeGroup, CreativeGroupInput } from '@bidwell/contract/creative-groups/schema';
import { messages } from '@bidwell/contract/text/messages';
import { schemaResolver } from '@mantine/form';
import { z } from 'zod';
import { creativeLists } from '../../entities/creatives/creative-lists.ts';

/** Labels of the types in a group's summary. */
export const summaryNames = [
  ['Image', 'banner_creatives'],
  ['Video', 'video_creatives'],
  ['Native', 'native_creatives'],
  ['Playable', 'playable_creatives'],
] as const;

const uuids = z.array(z.string());

/** Schema of a stored draft of the form. */
export const GroupDraft = z.object({
  name: z.string(),
  description: z.string(),
  banner_creatives: uuids,
  video_creatives: uuids,
  native_creatives: uuids,
  playable_creatives: uuids,
  native_title: z.string(),
  native_description: z.string(),
  native_sponsor: z.string(),
});

export const emptyGroup: CreativeGroupInput = {
  name: '',
  description: '',
  banner_creatives: [],
  video_creatives: [],
  native_creatives: [],
  playable_creatives: [],
  native_title: '',
  native_description: '',
  native_sponsor: '',
};

/** The form values of a group: creatives by uuid. */
export function groupValues(group: CreativeGroup): CreativeGroupInput {
  const ids = (creatives: Creative[]) => creatives.map(({ uuid }) => uuid);
  const { name, description, native_title, native_description, native_sponsor } = group;
  return {
    name,
    description,
    native_title,
    native_description,
    native_sponsor,
    banner_creatives: ids(group.banner_creatives),
    video_creatives: ids(group.video_creatives),
    native_creatives: ids(group.native_creatives),
    playable_creatives: ids(group.playable_creatives),
  };
}

const fieldErrors = schemaResolver(CreativeGroupInput, { sync: true });

/** Messages by field; the video list is required while the group has no creative of any type. */
export function groupErrors(values: CreativeGroupInput): Record<string, React.ReactNode> {
  const isEmpty = Object.values(creativeLists).every((list) => values[list].length === 0);
  return { ...fieldErrors(values), ...(isEmpty && { [creativeLists.Video]: messages.required }) };
}
