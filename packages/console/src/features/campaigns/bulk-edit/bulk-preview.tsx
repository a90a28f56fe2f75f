import { type AdsetUpdate, adsetVersion } from '@bidwell/contract/adsets/schema';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Alert, Button, Checkbox, Group, Stack, Table, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { failureText } from '../../../lib/api/api-error.ts';
import { forEachConcurrent } from '../../../lib/concurrent.ts';
import {
  type UsualBids,
  hasNewBids,
  highBidTexts,
  loadUsualBids,
} from '../../../entities/campaigns/high-bid.ts';
import { isSameAmount, readPresent } from '../../../lib/api/present-entities.ts';
import { changeAsShown } from '../../../lib/api/change-as-shown.ts';
import { readAgain } from '../../../lib/api/query-client.ts';
import { adsetQuery, adsetsQuery, updateAdset } from '../../../entities/campaigns/adset-queries.ts';
import { campaignsQuery, pauseCampaign, startCampaign } from '../../../entities/campaigns/queries.ts';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { Caption } from '../../../ui/layout/text.tsx';
import { toastUndo } from '../../../ui/layout/undo-toast.tsx';
import { type PlannedRow, isBulkField, isSameSetting } from './bulk-edit.ts';
import classes from './bulk-edit.module.css';

/** Concurrent changes: one company must not keep the server busy. */
const CONCURRENCY = 4;

/** The result of a row: null once it is saved, else the reason why it is not. */
type Results = ReadonlyMap<string, string | null>;

interface BulkPreviewProps {
  planned: readonly PlannedRow[];
  onBack: () => void;
  onClose: () => void;
}

/** The changes of an edit, before and after, row by row. Applies the edit, and says for each row whether it was saved. */
export function BulkPreview({ planned, onBack, onClose }: BulkPreviewProps) {
  const { results, busy, apply } = useApply();
  useUndoAfterwards(planned, results);
  const warnings = useBidWarnings(planned);
  const [isMeant, setIsMeant] = useState(false);
  const waiting = planned.filter(({ id, error }) => error === undefined && results.get(id) !== null);
  const saved = [...results.values()].filter((result) => result === null).length;
  const failed = results.size - saved;
  if (planned.length === 0)
    return (
      <Stack>
        <Text size="sm">All selected rows have these values already.</Text>
        <Buttons onBack={onBack} />
      </Stack>
    );
  return (
    <Stack>
      <div className={classes['rows']} tabIndex={0} role="region" aria-label="Changes">
        <Table aria-label="Changes" fz="sm" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Change</Table.Th>
              <Table.Th>Before</Table.Th>
              <Table.Th>After</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {planned.map((row) => (
              <PreviewRows key={row.id} row={row} result={results.get(row.id)} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {warnings && warnings.length > 0 && results.size === 0 && (
        <Alert color="orange">
          {warnings.map((text) => (
            <Text key={text} size="sm">
              {text}
            </Text>
          ))}
          <Checkbox
            mt="xs"
            label="These bids are correct"
            checked={isMeant}
            onChange={({ currentTarget }) => setIsMeant(currentTarget.checked)}
          />
        </Alert>
      )}
      <Text size="sm" role="status">
        {results.size > 0 && `${saved} saved${failed > 0 ? `, ${failed} not saved` : ''}`}
      </Text>
      {results.size > 0 && !busy ? (
        <Group justify="flex-end">
          {failed > 0 && (
            <SecondaryButton onClick={() => void apply(waiting)}>Try the failed rows again</SecondaryButton>
          )}
          <Button onClick={onClose}>Close</Button>
        </Group>
      ) : (
        <Buttons
          onBack={onBack}
          busy={busy}
          disabled={waiting.length === 0 || !warnings || (warnings.length > 0 && !isMeant)}
          onApply={() => void apply(waiting)}
          count={waiting.length}
        />
      )}
    </Stack>
  );
}

interface ButtonsProps {
  onBack: () => void;
  onApply?: () => void;
  busy?: boolean;
  disabled?: boolean;
  /** Rows that would be changed. */
  count?: number;
}

function Buttons({ onBack, onApply, busy = false, disabled = false, count = 0 }: ButtonsProps) {
  return (
    <Group justify="flex-end">
      <SecondaryButton onClick={onBack} disabled={busy}>
        Back
      </SecondaryButton>
      {onApply && (
        <Button onClick={onApply} loading={busy} disabled={disabled}>
          Apply to {count === 1 ? '1 row' : `${count} rows`}
        </Button>
      )}
    </Group>
  );
}

/** A line for each change of a row; the result is below its name. */
function PreviewRows({ row, result }: { row: PlannedRow; result: string | null | undefined }) {
  const fault = result ?? row.error;
  return row.changes.map(({ label, before, after }, index) => (
    <Table.Tr key={label}>
      {index === 0 && (
        <Table.Td rowSpan={row.changes.length} className={classes['name']}>
          {row.name}
          <Caption>{row.one.kind === 'campaign' ? 'Campaign' : 'Ad set'}</Caption>
          {result === null && (
            <Text size="xs" c="green.8">
              Saved
            </Text>
          )}
          {fault && (
            <Text size="xs" c="var(--mantine-color-error)">
              {fault}
            </Text>
          )}
        </Table.Td>
      )}
      <Table.Td className={classes['what']}>{label}</Table.Td>
      <Table.Td data-label="Before">{before}</Table.Td>
      <Table.Td data-label="After" fw={600}>
        {after}
      </Table.Td>
    </Table.Tr>
  ));
}

function useApply() {
  const [results, setResults] = useState<Results>(new Map());
  const [busy, setBusy] = useState(false);
  const apply = async (rows: readonly PlannedRow[]) => {
    setBusy(true);
    const seen = await rowsAsSeen(rows).catch(failureText);
    await forEachConcurrent(rows, CONCURRENCY, async (row) => {
      const fault = typeof seen === 'string' ? seen : seen.includes(row) ? null : screenMessages.changedRow;
      const result = fault ?? (await saveRow(row).then(() => null, failureText));
      setResults((before) => new Map(before).set(row.id, result));
    });
    setBusy(false);
  };
  return { results, busy, apply };
}

/** Offers an undo of the saved rows once the dialog is closed in any way. */
function useUndoAfterwards(planned: readonly PlannedRow[], results: Results): void {
  const done = useRef<readonly PlannedRow[]>([]);
  useEffect(() => {
    done.current = planned.filter(({ id }) => results.get(id) === null);
  }, [planned, results]);
  useEffect(
    () => () => {
      const rows = done.current;
      if (rows.length > 0)
        toastUndo(consoleMessages.rowsChanged(rows.length), {
          items: rows,
          readUnchanged: async () => unchangedRows(rows),
          restore: restoreRow,
        });
    },
    [],
  );
}

/** The rows that are as the edit left them. */
const unchangedRows = async (rows: readonly PlannedRow[]) => presentRows(rows, asSaved);

/** The rows whose edited fields no one else has changed since the preview. */
const rowsAsSeen = async (rows: readonly PlannedRow[]) => presentRows(rows, asSeen);

/** The status, and the amounts and settings of a row; undefined for any. */
interface Expected {
  status: string | undefined;
  fields: PlannedRow['update'];
}

const asSaved = ({ status, update }: PlannedRow): Expected => ({ status, fields: update });
const asSeen = ({ one, status, restore }: PlannedRow): Expected => ({
  status: status && one.item.status,
  fields: restore,
});

/** The rows that have this status and these amounts and settings on the server now. Throws ApiError. */
async function presentRows(
  rows: readonly PlannedRow[],
  expected: (row: PlannedRow) => Expected,
): Promise<PlannedRow[]> {
  const [adsets, campaigns] = await Promise.all([readPresent(adsetsQuery), readPresent(campaignsQuery)]);
  return rows.filter((row) => {
    const adset = adsets.get(row.id);
    const present = row.one.kind === 'adset' ? adset : campaigns.get(row.id);
    return present !== undefined && isAs(expected(row), present, adset);
  });
}

function isAs(
  { status, fields }: Expected,
  present: { status: string },
  adset: AdsetUpdate | undefined,
): boolean {
  return (
    (status === undefined || present.status === status) &&
    (Object.keys(fields) as (keyof AdsetUpdate)[]).every((field) =>
      isBulkField(field)
        ? isSameAmount(adset?.[field], fields[field])
        : isSameSetting(adset?.[field], fields[field]),
    )
  );
}

async function saveRow(row: PlannedRow): Promise<unknown> {
  const { one, status, update } = row;
  if (one.kind === 'adset')
    return changeAdset(row, asSeen(row), { ...update, ...(status && { status }) }, screenMessages.changedRow);
  return (status === 'Active' ? startCampaign : pauseCampaign)(one.item.uuid);
}

async function restoreRow(row: PlannedRow): Promise<unknown> {
  const { one, status, restore } = row;
  const before = one.item.status;
  if (one.kind === 'adset')
    return changeAdset(row, asSaved(row), { ...restore, ...(status && { status: before }) });
  return (before === 'Active' ? startCampaign : pauseCampaign)(one.item.uuid);
}

/** Changes an ad set if it has the expected values: someone may change it after the rows were compared. */
const changeAdset = async (
  { one: { item } }: PlannedRow,
  expected: Expected,
  update: AdsetUpdate,
  message?: string,
): Promise<unknown> =>
  changeAsShown({
    read: async () => readAgain(adsetQuery(item.uuid)),
    version: adsetVersion,
    isAsShown: (present) => isAs(expected, present, present),
    send: async (version) => updateAdset(item.uuid, update, version),
    ...(message !== undefined && { message }),
  });

/**
 * Sentences about new bids that are far above those before, or above what the account usually pays; undefined until the usual prices
 * of bids that need them are loaded.
 */
function useBidWarnings(planned: readonly PlannedRow[]): string[] | undefined {
  const [usual, setUsual] = useState<UsualBids>();
  useEffect(() => {
    let isHere = true;
    void loadUsualBids().then((loaded) => isHere && setUsual(loaded));
    return () => {
      isHere = false;
    };
  }, []);
  const bids = planned.flatMap(({ name, one, update }) =>
    one.kind === 'adset' ? [{ of: name, bids: update, before: one.item }] : [],
  );
  if (!hasNewBids(bids)) return [];
  return usual && highBidTexts(bids, usual);
}
