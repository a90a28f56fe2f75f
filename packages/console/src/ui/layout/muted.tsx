import { Text } from '@mantine/core';

/** Secondary text: small and grey. */
export const Muted = Text.withProps({ size: 'sm', c: 'dimmed' });
