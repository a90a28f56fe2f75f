import { Code } from '@mantine/core';

const LINES_HEIGHT_PX = 420;

/** JSON or markup as it was sent, in a box of its own that scrolls; `label` names it for screen readers. */
export function SourceText({ label, text }: { label: string; text: string }) {
  return (
    <Code
      block
      mah={LINES_HEIGHT_PX}
      tabIndex={0}
      role="region"
      aria-label={label}
      style={{ overflow: 'auto', overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
    >
      {text}
    </Code>
  );
}
