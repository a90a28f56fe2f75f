import type { LevelReport, LevelRow } from '@bidwell/contract/analytics';
import { REPORT_METRICS } from '@bidwell/contract/metrics';
import { ActionIcon, Box, Group, Paper, Table, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { levelLabels, reportMetrics } from './report-columns.ts';

/** The level report as a tree: a row opens to the next level. */
export function ReportTree({ report }: { report: LevelReport }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (path: string) => {
    const next = new Set(open);
    if (!next.delete(path)) next.add(path);
    setOpen(next);
  };
  if (report.rows.length === 0) {
    return (
      <Paper withBorder>
        <EmptyState title="Nothing happened in these days" text="Choose other days, or start a campaign." />
      </Paper>
    );
  }
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={760} type="native">
        <Table
          aria-label="Report"
          fz="sm"
          verticalSpacing={6}
          highlightOnHover
          style={{ fontVariantNumeric: 'tabular-nums' }}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Breakdown</Table.Th>
              {REPORT_METRICS.map((metric) => (
                <Table.Th key={metric} ta="right">
                  {reportMetrics[metric].label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {report.rows.map((row) => (
              <TreeRows key={row.value} row={row} path={row.value} depth={0} open={open} onToggle={toggle} />
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th>Total</Table.Th>
              {REPORT_METRICS.map((metric) => (
                <Table.Th key={metric} ta="right">
                  {reportMetrics[metric].format(report.total[metric])}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

interface TreeRowsProps {
  row: LevelRow;
  path: string;
  depth: number;
  open: ReadonlySet<string>;
  onToggle: (path: string) => void;
}

function TreeRows({ row, path, depth, open, onToggle }: TreeRowsProps) {
  const opened = open.has(path);
  const Icon = opened ? IconChevronDown : IconChevronRight;
  return (
    <>
      <Table.Tr data-level={row.level}>
        <Table.Td>
          <Group gap={4} wrap="nowrap" pl={depth * 22}>
            {row.children.length > 0 ? (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                onClick={() => onToggle(path)}
                aria-expanded={opened}
                aria-label={`${opened ? 'Close' : 'Open'} ${row.name || 'unknown'}`}
              >
                <Icon size={15} />
              </ActionIcon>
            ) : (
              <Box w={22} />
            )}
            <Text size="sm" fw={depth === 0 ? 600 : 400}>
              {row.name || 'Unknown'}
            </Text>
            <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              {levelLabels[row.level]}
            </Text>
          </Group>
        </Table.Td>
        {REPORT_METRICS.map((metric) => (
          <Table.Td key={metric} ta="right">
            {reportMetrics[metric].format(row[metric])}
          </Table.Td>
        ))}
      </Table.Tr>
      {opened &&
        row.children.map((child) => (
          <TreeRows
            key={child.value}
            row={child}
            path={`${path}\n${child.value}`}
            depth={depth + 1}
            open={open}
            onToggle={onToggle}
          />
        ))}
    </>
  );
}
