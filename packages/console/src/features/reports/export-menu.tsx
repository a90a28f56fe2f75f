import { Menu, Modal, Stack } from '@mantine/core';
import { DateInput } from '@mantine/dates';
import { useDisclosure } from '@mantine/hooks';
import { IconDatabaseExport, IconDownload, IconFileTypeCsv } from '@tabler/icons-react';
import { useState } from 'react';
import { downloadEvents } from '../../entities/reports/queries.ts';
import { saveFile } from '../../lib/format/csv-file.ts';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import { Segments } from '../../ui/layout/segments.tsx';

interface ExportMenuProps {
  /** Whether the report has rows to export. */
  ready: boolean;
  /** Exports the rows on the screen. */
  onView: () => Promise<void>;
  /** Exports all rows, as a CSV file that the server writes. */
  onAll: () => Promise<void>;
  /** The default day of the events export. */
  day: string;
}

/** Menu of exports: the report on the screen, all of its rows, or the events of a day. */
export function ExportMenu({ ready, onView, onAll, day }: ExportMenuProps) {
  const [opened, { open, close }] = useDisclosure(false);
  const { save: run, busy } = useSave({ send: (work: () => Promise<void>) => work() });
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <SecondaryButton leftSection={<IconDownload size={16} />} loading={busy}>
            Export
          </SecondaryButton>
        </Menu.Target>
        <Menu.Dropdown>
          {/* Not disabled items: while the first ones are, the menu gets no focus and Escape does not close it. */}
          {ready ? (
            <>
              <Menu.Item leftSection={<IconFileTypeCsv size={16} />} onClick={() => run(onView)}>
                CSV of this view
              </Menu.Item>
              <Menu.Item leftSection={<IconFileTypeCsv size={16} />} onClick={() => run(onAll)}>
                CSV of all rows
              </Menu.Item>
            </>
          ) : (
            <Menu.Label>The report has no rows to export.</Menu.Label>
          )}
          <Menu.Divider />
          <Menu.Item leftSection={<IconDatabaseExport size={16} />} onClick={open}>
            Events of a day…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={opened} onClose={close} title="Events of a day">
        {opened && <EventsForm first={day} onDone={close} />}
      </Modal>
    </>
  );
}

function EventsForm({ first, onDone }: { first: string; onDone: () => void }) {
  const [day, setDay] = useState<string | null>(first);
  const [format, setFormat] = useState<'csv' | 'parquet'>('csv');
  const { save: download, busy } = useSave({
    send: async (chosen: string) =>
      saveFile(`bidwell-events-${chosen}.${format}`, await downloadEvents(chosen, format)),
    onSaved: onDone,
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (day) download(day);
      }}
    >
      <Stack>
        <Muted>
          All of your wins, losses, impressions, clicks, installs and in-app events, with price, exchange,
          publisher, reason and revenue.
        </Muted>
        <DateInput
          label="Day"
          valueFormat="MM/DD/YYYY"
          value={day}
          onChange={setDay}
          error={day ? undefined : 'Required'}
          data-autofocus
        />
        <Segments
          label="Format"
          value={format}
          onChange={setFormat}
          options={[
            { value: 'csv', label: 'CSV' },
            { value: 'parquet', label: 'Parquet' },
          ]}
        />
        <FormButtons action="Download" onCancel={onDone} busy={busy} />
      </Stack>
    </form>
  );
}
