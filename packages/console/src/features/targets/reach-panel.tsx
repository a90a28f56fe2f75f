import type { Os } from '@bidwell/contract/app';
import type { TargetSettings } from '@bidwell/contract/target';
import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { phoneModelsQuery } from '../../lib/queries/reference.ts';
import { useTargetNames } from './names.ts';
import { reachSentence } from './reach.ts';
import { targetFaults } from './target-faults.ts';

interface ReachPanelProps {
  os: Os | undefined;
  target: TargetSettings;
}

/** Shows while editing whom the target reaches, and its contradictions. */
export function ReachPanel({ os, target }: ReachPanelProps) {
  const names = useTargetNames({ models: true });
  const { data: models = [] } = useQuery(phoneModelsQuery);
  const faults = targetFaults(os, target, names, models);
  const nobody = faults.some((fault) => fault.nobody);
  const Icon = nobody ? IconAlertTriangle : IconUsers;
  return (
    <Alert
      variant="light"
      color={nobody ? 'red' : faults.length > 0 ? 'yellow' : 'accent'}
      title={nobody ? 'Reaches nobody' : 'Reaches'}
      icon={<Icon size={18} />}
      role="status"
      aria-live="polite"
    >
      {!nobody && <Text size="sm">{reachSentence(os, target, names)}</Text>}
      {faults.length > 0 && (
        <List size="sm" mt={nobody ? 0 : 6}>
          {faults.map(({ text }) => (
            <List.Item key={text}>{text}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
