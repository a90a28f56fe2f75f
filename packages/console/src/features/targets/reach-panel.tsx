import type { Os } from '@bidwell/contract/apps/fields';
import type { TargetSettings } from '@bidwell/contract/targets/schema';
import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconUsers } from '@tabler/icons-react';
import { useKnown } from '../../lib/loadable.ts';
import { phoneModelsQuery } from '../../entities/reference/queries.ts';
import { useTargetNames } from './target-names.ts';
import { reachSentence } from './reach.ts';
import { targetErrors } from './target-errors.ts';

interface ReachPanelProps {
  os: Os | undefined;
  target: TargetSettings;
}

/** Shows while editing who the target reaches, and its contradictions. */
export function ReachPanel({ os, target }: ReachPanelProps) {
  const names = useTargetNames({ models: true });
  const models = useKnown(phoneModelsQuery);
  const errors = targetErrors(os, target, names, models);
  const reachesNoOne = errors.some((error) => error.reachesNoOne);
  const Icon = reachesNoOne ? IconAlertTriangle : IconUsers;
  return (
    <Alert
      variant="light"
      color={reachesNoOne ? 'red' : errors.length > 0 ? 'yellow' : 'accent'}
      title={reachesNoOne ? 'Reaches no one' : 'Reaches'}
      icon={<Icon size={18} />}
      role="status"
      aria-live="polite"
    >
      {!reachesNoOne && <Text size="sm">{reachSentence(os, target, names)}</Text>}
      {errors.length > 0 && (
        <List size="sm" mt={reachesNoOne ? 0 : 6}>
          {errors.map(({ text }) => (
            <List.Item key={text}>{text}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
