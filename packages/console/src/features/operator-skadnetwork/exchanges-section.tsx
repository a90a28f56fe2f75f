import type { NetworkExchange, SkadnetworkSettings } from '@bidwell/contract/skadnetwork/schema';
import { Table, Text } from '@mantine/core';
import { switchNetworkExchange } from '../../entities/skadnetwork/queries.ts';
import type { Figures } from '../../lib/figures.ts';
import { formatNumber, formatPercent } from '../../lib/format/format.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { SkeletonBar } from '../../ui/chart/skeleton-bar.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { SigningSwitch } from './signing-switch.tsx';
import { signablePercent, unsignedReasons } from './outcome-text.ts';

interface ExchangesSectionProps {
  figures: Figures<SkadnetworkSettings>;
  mayChange: boolean;
}

/** The exchanges with which bids are signed, and which of their requests of the last seven days could be. */
export function ExchangesSection({ figures, mayChange }: ExchangesSectionProps) {
  const exchanges = figures.data?.exchanges;
  return (
    <Section title="Exchanges" flush>
      <FigureFrame
        figures={figures}
        what="The exchanges"
        noticeMargin="sm"
        skeleton={<SkeletonBar width={240} />}
      >
        {exchanges?.length === 0 && (
          <Text size="sm" c="dimmed" px="md" pb="md">
            There is no exchange yet.
          </Text>
        )}
        {exchanges && exchanges.length > 0 && (
          <Table.ScrollContainer minWidth={620}>
            <Table verticalSpacing="xs" aria-label="Exchanges">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th ps="md">Exchange</Table.Th>
                  <Table.Th>Signed bids</Table.Th>
                  <Table.Th>Requests of iOS apps, last 7 days</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {exchanges.map((exchange) => (
                  <ExchangeRow key={exchange.slug} exchange={exchange} mayChange={mayChange} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </FigureFrame>
    </Section>
  );
}

function ExchangeRow({ exchange, mayChange }: { exchange: NetworkExchange; mayChange: boolean }) {
  const percent = signablePercent(exchange);
  const reasons = unsignedReasons(exchange);
  return (
    <Table.Tr>
      <Table.Td ps="md">{exchange.name}</Table.Td>
      <Table.Td>
        <SigningSwitch
          enabled={exchange.enabled}
          name={exchange.name}
          mayChange={mayChange}
          send={(enabled) => switchNetworkExchange(exchange.slug, enabled)}
        />
      </Table.Td>
      <Table.Td>
        {percent === null ? (
          <Text size="sm" c="dimmed">
            {exchange.enabled ? 'None counted yet' : 'Counted once it is on'}
          </Text>
        ) : (
          <>
            {formatPercent(percent)} of {formatNumber(exchange.requests)} could be signed
            {reasons !== '' && (
              <Text size="xs" c="dimmed">
                Of all, {reasons}.
              </Text>
            )}
          </>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
