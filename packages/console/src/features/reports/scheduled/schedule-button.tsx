import type { ReportContent } from '@bidwell/contract/reports/schema';
import { Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendarTime } from '@tabler/icons-react';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { IfMay } from '../../../ui/roles/if-may.tsx';
import { ScheduleForm } from './schedule-form.tsx';

/** Button that schedules the report on the screen, for users who may. */
export function ScheduleButton({ report }: { report: ReportContent }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <IfMay permission="report_schedule.write">
      <SecondaryButton leftSection={<IconCalendarTime size={16} />} onClick={open}>
        Schedule
      </SecondaryButton>
      <Modal opened={opened} onClose={close} title="Schedule this report" closeOnClickOutside={false}>
        {opened && <ScheduleForm report={report} onDone={close} />}
      </Modal>
    </IfMay>
  );
}
