import { ActionIcon, Button } from '@mantine/core';

/** A button next to the main one, such as Cancel. */
export const SecondaryButton = Button.withProps({ variant: 'default' });

/** A button in a row of a table or in the head of a section. */
export const SmallButton = Button.withProps({ variant: 'default', size: 'compact-sm' });

/** A small button without a frame, for what is rarely needed, such as Remove. */
export const QuietButton = Button.withProps({ variant: 'subtle', color: 'gray', size: 'compact-sm' });

/** An icon in place of the text of a button, such as one that removes a row. */
export const IconButton = ActionIcon.withProps({ variant: 'subtle', color: 'gray' });
