import type { Mmp } from '@bidwell/contract/apps/schema';
import { PARTNERS } from '@bidwell/contract/measurement/partners/partners';
import { Text } from '@mantine/core';

/** How a partner sends postbacks, and what it does not document and has to be asked about. */
export function PostbackNotes({ mmp }: { mmp: Mmp }) {
  const { name, postbacks, sources } = PARTNERS[mmp];
  const { method, retries, replace, undocumented } = postbacks;
  const open = [
    ...(method.documented ? [] : ['the method']),
    ...(retries.documented ? [] : ['repetitions']),
    ...undocumented,
  ];
  const facts = [
    'Postbacks are accepted by GET, and by POST as a form or JSON.',
    ...(method.documented ? [`${name} sends ${method.text}.`] : []),
    ...(retries.documented ? [`It repeats them ${retries.text}.`] : []),
    ...(sources.length > 0 ? [`Sources: ${sources.map(({ source }) => source).join('; ')}.`] : []),
  ];
  return (
    <>
      {replace && <Text size="sm">{replace}</Text>}
      {mmp !== 'other' && open.length > 0 && (
        <Text size="sm">
          Not documented by {name}; check with them: {open.join(', ')}.
        </Text>
      )}
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {facts.join(' ')}
      </Text>
    </>
  );
}
