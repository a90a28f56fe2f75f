import type { OperatorCompany } from '@bidwell/contract/operator';
import { Button, Group, Modal, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { changeCompany } from '../../lib/queries/operator-companies.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { DialogForm } from '../../ui/dialog-form.tsx';

const timeZones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
const SHOWN_MAX = 100;

interface TimeZoneDialogProps {
  opened: boolean;
  company: OperatorCompany;
  onClose: () => void;
}

/** Changes the time zone of a company's days, and says what that changes from when. */
export function TimeZoneDialog({ opened, company, onClose }: TimeZoneDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Change the time zone" centered>
      {opened && <TimeZoneForm company={company} onDone={onClose} />}
    </Modal>
  );
}

function TimeZoneForm({ company, onDone }: { company: OperatorCompany; onDone: () => void }) {
  const [timeZone, setTimeZone] = useState(company.time_zone);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    try {
      await changeCompany(company.uuid, { time_zone: timeZone });
      toastSuccess(`The days of ${company.name} are those of ${timeZone}`);
      onDone();
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <DialogForm onSubmit={() => void submit()}>
      <Text size="sm">
        At once: daily budgets count what was spent since the last midnight of the new time zone, and
        campaigns start and end at its midnight.
      </Text>
      <Text size="sm">
        Reports and statements have the new days for the past too. Keep statements that you have handed over:
        a month may begin and end at another hour. The company is notified.
      </Text>
      <Select
        label="Time zone"
        data={timeZones.includes(company.time_zone) ? timeZones : [company.time_zone, ...timeZones]}
        value={timeZone}
        onChange={(value) => value !== null && setTimeZone(value)}
        searchable
        limit={SHOWN_MAX}
        allowDeselect={false}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} disabled={timeZone === company.time_zone}>
          Change
        </Button>
      </Group>
    </DialogForm>
  );
}
