import {
  Box,
  Group,
  Kbd,
  Modal,
  ScrollArea,
  Text,
  TextInput,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useId, useMemo, useState } from 'react';
import { useFocusReturn } from '../ui/use-focus-return.ts';
import type { Command } from './commands.ts';
import { findCommands } from './commands.ts';
import { useCommands } from './use-commands.ts';
import classes from './command-palette.module.css';

/** Dialog that searches screens, commands and the company's entities by name. */
export function CommandPalette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size="lg"
      yOffset="12vh"
      transitionProps={{ duration: 80 }}
      title={<VisuallyHidden>Search or create</VisuallyHidden>}
      styles={{ header: { position: 'absolute', minHeight: 0, padding: 0 } }}
    >
      {opened && <Palette onClose={onClose} />}
    </Modal>
  );
}

function Palette({ onClose }: { onClose: () => void }) {
  useFocusReturn();
  const commands = useCommands();
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const found = useMemo(() => findCommands(commands, text), [commands, text]);
  const active = Math.min(place, Math.max(0, found.length - 1));
  const listId = useId();
  const choose = (next: number) => {
    setPlace(next);
    document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const press = (event: React.KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowDown: (active + 1) % Math.max(1, found.length),
      ArrowUp: (active - 1 + found.length) % Math.max(1, found.length),
    };
    const next = moves[event.key];
    if (next !== undefined) choose(next);
    else if (event.key === 'Enter') run(found[active]);
    else return;
    event.preventDefault();
  };
  return (
    <Box onKeyDown={press}>
      <TextInput
        role="combobox"
        aria-label="Search or create"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? `${listId}-${active}` : undefined}
        autoComplete="off"
        data-autofocus
        variant="unstyled"
        size="md"
        px="xs"
        placeholder="Go to or create anything"
        leftSection={<IconSearch size={17} />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          choose(0);
        }}
      />
      <ScrollArea.Autosize mah="56vh" type="hover" className={classes['list']!}>
        <div role="listbox" id={listId} aria-label="Results">
          {found.map((command, index) => (
            <div key={command.id} role="presentation">
              {command.section !== found[index - 1]?.section && (
                <Text size="xs" c="dimmed" px="sm" pt="xs" pb={2} aria-hidden>
                  {command.section}
                </Text>
              )}
              <UnstyledButton
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                className={classes['option']!}
                onClick={() => run(command)}
                onMouseMove={() => setPlace(index)}
              >
                <Text size="sm" truncate component="span">
                  {command.label}
                </Text>
                {command.detail && (
                  <Text size="xs" c="dimmed" truncate component="span">
                    {command.detail}
                  </Text>
                )}
              </UnstyledButton>
            </div>
          ))}
        </div>
        {found.length === 0 && (
          <Text size="sm" c="dimmed" p="md" ta="center" role="status">
            Nothing is called “{text.trim()}”.
          </Text>
        )}
      </ScrollArea.Autosize>
      <Group gap="md" px="sm" py={8} className={classes['foot']!} visibleFrom="sm">
        {[
          ['↑ ↓', 'choose'],
          ['Enter', 'open'],
          ['Esc', 'close'],
        ].map(([key, what]) => (
          <Group key={key} gap={6}>
            <Kbd size="xs">{key}</Kbd>
            <Text size="xs" c="dimmed">
              {what}
            </Text>
          </Group>
        ))}
      </Group>
    </Box>
  );
}
