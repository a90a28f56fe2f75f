import type { Mmp } from '@bidwell/contract/app';
import type { PostbackOutcome, Postbacks } from '@bidwell/contract/postback';
import { Button, Code, CopyButton, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { mmpRules } from './mmp-rules.ts';

const outcomeNames: Record<PostbackOutcome, string> = {
  stored: 'installs counted',
  duplicate: 'reported again',
  expired: 'too late to count',
  rejected: 'rejected by the partner',
  event: 'in-app events',
  unknown_click: 'with a click id that is none of yours',
};

/** The addresses that an advertiser pastes at the measurement partner of an app, and what came to them. */
export function PostbackAddresses({ mmp, postbacks }: { mmp: Mmp; postbacks: Postbacks }) {
  const { name } = mmpRules[mmp];
  const counts = postbacks.counts.filter((one) => one.mmp === mmp);
  const unknown = postbacks.unknown.find((one) => one.mmp === mmp);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="postbacks">
      <Stack gap="sm">
        <Title order={2} size="h5" id="postbacks">
          Postbacks
        </Title>
        <Text size="xs" c="dimmed">
          Paste these at {name}: it reports installs by them. They hold your company’s secret.
        </Text>
        {postbacks.templates
          .filter((template) => template.mmp === mmp)
          .map(({ purpose, value }) => (
            <Stack gap={4} key={purpose}>
              <Group justify="space-between" gap="xs">
                <Text size="sm" fw={500}>
                  {purpose}
                </Text>
                <CopyButton value={value}>
                  {({ copied, copy }) => (
                    <Button
                      size="compact-xs"
                      variant="default"
                      onClick={copy}
                      aria-label={`Copy: ${purpose}`}
                    >
                      {copied ? 'Copied' : 'Copy'}
                    </Button>
                  )}
                </CopyButton>
              </Group>
              <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {value}
              </Code>
            </Stack>
          ))}
        <Text size="sm">
          {counts.length === 0
            ? `Nothing came from ${name} in the last 30 days.`
            : `In the last 30 days: ${counts.map(({ outcome, count }) => `${count} ${outcomeNames[outcome]}`).join(', ')}.`}
        </Text>
        {unknown && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            The last one with an unknown click id: {unknown.parameters}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
