import { Text } from '@mantine/core';

/** Secondary text: small and grey. */
export const Muted = Text.withProps({ size: 'sm', c: 'dimmed' });

/** The smallest secondary text, such as a note below a value. */
export const Caption = Text.withProps({ size: 'xs', c: 'dimmed' });
