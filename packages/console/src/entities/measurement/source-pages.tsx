import type { SourcePage } from '@bidwell/contract/measurement/partners/description';
import { Anchor } from '@mantine/core';
import { Fragment } from 'react';

/** The pages that document a partner, as links where their address is known; nothing without any. */
export function SourcePages({ pages }: { pages: readonly SourcePage[] }) {
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
