import { List, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';

interface CampaignSummaryPanelProps {
  outcome: readonly string[];
  missing: readonly string[];
}

/** Live summary beside the campaign form. */
export function CampaignSummaryPanel({ outcome, missing }: CampaignSummaryPanelProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label="Summary">
      <Stack gap="sm">
        <Text fw={600} component="h2" size="sm">
          What will happen
        </Text>
        <List size="sm" spacing={6} withPadding={false}>
          {outcome.map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
        <Text fw={600} component="h2" size="sm" mt={4}>
          {missing.length === 0 ? 'Ready to start' : 'Required before the start'}
        </Text>
        {missing.length === 0 ? (
          <List size="sm" icon={<Mark color="green" icon={IconCircleCheck} />}>
            <List.Item>Everything is in place.</List.Item>
          </List>
        ) : (
          <List size="sm" spacing={6} icon={<Mark color="orange" icon={IconAlertTriangle} />}>
            {missing.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Paper>
  );
}

function Mark({ color, icon: Icon }: { color: string; icon: typeof IconCircleCheck }) {
  return (
    <ThemeIcon color={color} variant="light" size={20} radius="xl">
      <Icon size={14} />
    </ThemeIcon>
  );
}
