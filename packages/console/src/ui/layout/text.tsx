import { Text } from '@mantine/core';

/** Secondary text: small and grey. */
export const Muted = Text.withProps({ size: 'sm', c: 'dimmed' });

/** The smallest secondary text, such as a note below a value. */
export const Caption = Text.withProps({ size: 'xs', c: 'dimmed' });

/** Text that may have words longer than a line, such as names and addresses. */
export const LongText = Text.withProps({ size: 'sm', style: { overflowWrap: 'anywhere' } });
