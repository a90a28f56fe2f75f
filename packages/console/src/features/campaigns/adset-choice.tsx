import type { Adset } from '@bidwell/contract/adset';
import { messages } from '@bidwell/contract/messages';
import { Checkbox, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { IconPencil, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { formatMoney } from '../../lib/format.ts';
import { adsetsQuery } from '../../lib/queries/adsets.ts';
import { ActionIconLink, ButtonLink } from '../../ui/links.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

interface AdsetChoiceProps {
  /** The campaign's app; only its ad sets fit. */
  appUuid: string;
  campaignUuid: string | undefined;
  value: readonly string[];
  onChange: (uuids: string[]) => void;
  error: ReactNode;
}

/** The ad sets of a campaign: those of its app that are in no other campaign. */
export function AdsetChoice({ appUuid, campaignUuid, value, onChange, error }: AdsetChoiceProps) {
  const { data: adsets = [] } = useQuery(adsetsQuery);
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const fitting = adsets.filter(
    (adset) => adset.target.app.uuid === appUuid && (!adset.campaign || adset.campaign.uuid === campaignUuid),
  );
  const shown = fitting.filter((adset) => `${adset.name} ${adset.uuid}`.toLowerCase().includes(wanted));
  const toggle = (uuid: string) =>
    onChange(value.includes(uuid) ? value.filter((other) => other !== uuid) : [...value, uuid]);
  return (
    <Paper withBorder p="md" role="group" aria-label="Ad sets">
      <Group justify="space-between" mb="sm">
        <Text fw={600}>Ad sets</Text>
        <ButtonLink
          to="/adset"
          search={{ campaign_uuid: campaignUuid }}
          variant="light"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
        >
          New ad set
        </ButtonLink>
      </Group>
      {fitting.length > 6 && (
        <TextInput
          aria-label="Search ad sets"
          placeholder="Search by name or id"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          mb="sm"
        />
      )}
      <Stack gap={6}>
        {shown.map((adset) => (
          <Group key={adset.uuid} justify="space-between" wrap="nowrap">
            <Checkbox
              label={adset.name}
              description={summary(adset)}
              checked={value.includes(adset.uuid)}
              onChange={() => toggle(adset.uuid)}
            />
            <Group gap="xs" wrap="nowrap">
              <StatusBadge status={adset.status} />
              <ActionIconLink
                to="/adset/edit"
                search={{ uuid: adset.uuid }}
                variant="subtle"
                color="gray"
                aria-label={`Edit ad set ${adset.name}`}
              >
                <IconPencil size={15} />
              </ActionIconLink>
            </Group>
          </Group>
        ))}
        {shown.length === 0 && (
          <Text size="sm" c="dimmed">
            {appUuid === '' ? 'Choose the app first.' : messages.emptyAdsets}
          </Text>
        )}
      </Stack>
      {error && (
        <Text size="xs" c="red.8" mt="xs" role="alert">
          {error}
        </Text>
      )}
    </Paper>
  );
}

function summary(adset: Adset): string {
  const bid = adset.algo === 'Target CPI' && adset.bet_cpi ? `CPI ${formatMoney(adset.bet_cpi)}, ` : '';
  const budget = adset.daily_budget_const ? `, ${formatMoney(adset.daily_budget_const)} a day` : '';
  return `${adset.algo}, ${bid}CPM up to ${formatMoney(adset.bet_cpm)}${budget}`;
}
