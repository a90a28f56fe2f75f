import type { Mmp } from '@bidwell/contract/apps/fields';
import { PARTNERS } from '@bidwell/contract/measurement/partners/partners';
import { Anchor, Text } from '@mantine/core';
import { Fragment } from 'react';
import { Muted } from '../../ui/layout/muted.tsx';

/** How a partner sends postbacks, and what it does not document and has to be asked about. */
export function PostbackNotes({ mmp }: { mmp: Mmp }) {
  const { name, postbacks } = PARTNERS[mmp];
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
  ];
  return (
    <>
      {replace && <Text size="sm">{replace}</Text>}
      {mmp !== 'other' && open.length > 0 && (
        <Text size="sm">
          Not documented by {name}; check with them: {open.join(', ')}.
        </Text>
      )}
      <Muted size="xs" style={{ overflowWrap: 'anywhere' }}>
        {facts.join(' ')} <Sources mmp={mmp} />
      </Muted>
    </>
  );
}

/** The pages that document a partner, as links where their address is known; nothing without any. */
function Sources({ mmp }: { mmp: Mmp }) {
  const pages = PARTNERS[mmp].sources.flatMap((source) => source.pages);
  if (pages.length === 0) return null;
  return (
    <>
      Sources:{' '}
      {pages.map(({ title, url }, index) => (
        <Fragment key={title}>
          {index > 0 && '; '}
          {url === null ? (
            title
          ) : (
            <Anchor inherit underline="always" href={url} target="_blank" rel="noopener noreferrer">
              {title}
            </Anchor>
          )}
        </Fragment>
      ))}
      .
    </>
  );
}
