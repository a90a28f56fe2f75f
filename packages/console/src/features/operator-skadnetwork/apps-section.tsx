import type { NetworkApp } from '@bidwell/contract/skadnetwork/schema';
import { Group, Table, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { CompanyLink } from '../../entities/companies/company-link.tsx';
import { networkAppsQuery, switchNetworkApp } from '../../entities/skadnetwork/queries.ts';
import { useFigures } from '../../lib/figures.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { SkeletonBar } from '../../ui/chart/skeleton-bar.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { SearchField } from '../../ui/table/search-field.tsx';
import { SigningSwitch } from './signing-switch.tsx';

/** The iOS apps of all companies, those with signed bids first. */
export function AppsSection({ mayChange }: { mayChange: boolean }) {
  const { q = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const figures = useFigures(networkAppsQuery(q));
  const { apps, total = 0 } = figures.data ?? {};
  const search = (next: string | undefined) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, q: next }) as never, replace: true });
  return (
    <Section title="Apps" flush actions={<SearchField label="iOS apps" value={q} onChange={search} />}>
      <FigureFrame figures={figures} what="The apps" noticeMargin="sm" skeleton={<SkeletonBar width={240} />}>
        {apps?.length === 0 && (
          <Text size="sm" c="dimmed" px="md" pb="md">
            {q === '' ? 'No company advertises an iOS app yet.' : 'No iOS app matches.'}
          </Text>
        )}
        {apps && apps.length > 0 && (
          <Table.ScrollContainer minWidth={620}>
            <AppTable apps={apps} mayChange={mayChange} />
          </Table.ScrollContainer>
        )}
        {apps && total > apps.length && (
          <Group px="md" pb="md">
            <Text size="xs" c="dimmed">
              The first {formatNumber(apps.length)} of {formatNumber(total)}. Search for others.
            </Text>
          </Group>
        )}
      </FigureFrame>
    </Section>
  );
}

function AppTable({ apps, mayChange }: { apps: readonly NetworkApp[]; mayChange: boolean }) {
  return (
    <Table verticalSpacing="xs" aria-label="Apps">
      <Table.Thead>
        <Table.Tr>
          <Table.Th ps="md">App</Table.Th>
          <Table.Th>Company</Table.Th>
          <Table.Th>Number in the App Store</Table.Th>
          <Table.Th>Signed bids</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {apps.map((app) => (
          <Table.Tr key={app.uuid}>
            <Table.Td ps="md">{app.name}</Table.Td>
            <Table.Td>
              <CompanyLink uuid={app.company_uuid}>{app.company}</CompanyLink>
            </Table.Td>
            <Table.Td>{app.item_id ?? 'Its store link has none'}</Table.Td>
            <Table.Td>
              <SigningSwitch
                enabled={app.enabled}
                name={app.name}
                mayChange={mayChange}
                send={(enabled) => switchNetworkApp(app.uuid, enabled)}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
