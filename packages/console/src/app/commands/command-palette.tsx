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
import { isKnown } from '../../lib/loadable.ts';
import { UnknownOptions } from '../../ui/form/picker/picker-options.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { useFocusReturn } from '../../ui/layout/use-focus-return.ts';
import { type Command, findCommands } from './commands.ts';
import { useCommands } from './use-commands.ts';
import classes from './command-palette.module.css';

/**
 * Dialog that searches screens, commands and the company's entities by name: the ARIA combobox pattern. Mantine's Spotlight (9.7.3)
 * has no listbox, no option and no `aria-activedescendant`, so a screen reader announces nothing when an arrow key moves the
 * selection, and its selection is an index, which moves to another command when the list changes.
 */
export function CommandPalette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      centered={false}
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
  const { commands, entities } = useCommands();
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const found = useMemo(() => findCommands(commands, text), [commands, text]);
  const selected = Math.min(index, Math.max(0, found.length - 1));
  const listId = useId();
  const select = (next: number) => {
    setIndex(next);
    document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const handleKey = (event: React.KeyboardEvent) => {
    const count = Math.max(1, found.length);
    if (event.key === 'ArrowDown') select((selected + 1) % count);
    else if (event.key === 'ArrowUp') select((selected - 1 + found.length) % count);
    else if (event.key === 'Enter') run(found[selected]);
    else return;
    event.preventDefault();
  };
  return (
    <Box onKeyDown={handleKey}>
      <TextInput
        role="combobox"
        aria-label="Search or create"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? `${listId}-${selected}` : undefined}
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
          select(0);
        }}
      />
      <ScrollArea.Autosize mah="56vh" type="hover" className={classes['list']!}>
        <Results id={listId} commands={found} selected={selected} onSelect={setIndex} onRun={run} />
        {!isKnown(entities) && (
          <Box px="sm" py="xs">
            <UnknownOptions options={entities} what="Campaigns and assets" />
          </Box>
        )}
        {found.length === 0 && isKnown(entities) && (
          <Muted p="md" ta="center" role="status">
            No results for “{text.trim()}”.
          </Muted>
        )}
      </ScrollArea.Autosize>
      <KeyHints />
    </Box>
  );
}

interface ResultsProps {
  id: string;
  commands: readonly Command[];
  /** Index of the selected command. */
  selected: number;
  onSelect: (index: number) => void;
  onRun: (command: Command) => void;
}

/** The commands found, by section. */
function Results({ id, commands, selected, onSelect, onRun }: ResultsProps) {
  return (
    <div role="listbox" id={id} aria-label="Results">
      {commands.map((command, index) => (
        <div key={command.id} role="presentation">
          {command.section !== commands[index - 1]?.section && (
            <Caption px="sm" pt="xs" pb={2} aria-hidden>
              {command.section}
            </Caption>
          )}
          <UnstyledButton
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === selected}
            className={classes['option']!}
            onClick={() => onRun(command)}
            onMouseMove={() => onSelect(index)}
          >
            <Text size="sm" truncate component="span">
              {command.label}
            </Text>
            {command.detail && (
              <Caption truncate component="span">
                {command.detail}
              </Caption>
            )}
          </UnstyledButton>
        </div>
      ))}
    </div>
  );
}

const keyHints = [
  ['↑ ↓', 'select'],
  ['Enter', 'open'],
  ['Esc', 'close'],
] as const;

function KeyHints() {
  return (
    <Group gap="md" px="sm" py={8} className={classes['footer']!} visibleFrom="sm">
      {keyHints.map(([key, action]) => (
        <Group key={key} gap={6}>
          <Kbd size="xs">{key}</Kbd>
          <Caption>{action}</Caption>
        </Group>
      ))}
    </Group>
  );
}
