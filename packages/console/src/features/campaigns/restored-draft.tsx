import { Alert, Button, Group, Text } from '@mantine/core';

/** Notice that a draft was restored, with a button that discards it. */
export function RestoredDraft({ onStartOver }: { onStartOver: () => void }) {
  return (
    <Alert color="blue" variant="light" mb="md" p="xs" maw={1180} role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">Your draft is here again. It is not saved yet.</Text>
        <Button variant="default" size="compact-sm" onClick={onStartOver}>
          Start over
        </Button>
      </Group>
    </Alert>
  );
}
