import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import type { ReportContent } from '@bidwell/contract/reports/schema';
import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendarTime } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../../lib/api/account.ts';
import { ScheduleForm } from './schedule-form.tsx';

/** Button that schedules the report on the screen, for those who may. */
export function ScheduleButton({ report }: { report: ReportContent }) {
  const { data: user } = useQuery(accountQuery);
  const [opened, { open, close }] = useDisclosure(false);
  if (!user || !companyRoleHas(user.role, 'report_schedule.write')) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconCalendarTime size={16} />} onClick={open}>
        Schedule
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title="Schedule this report"
        centered
        closeOnClickOutside={false}
      >
        {opened && <ScheduleForm report={report} onDone={close} />}
      </Modal>
    </>
  );
}
