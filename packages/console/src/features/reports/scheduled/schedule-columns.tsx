import type { ReportLevel } from '@bidwell/contract/reports/metrics';
import { versionOf } from '@bidwell/contract/lib/version';
import { type ReportSchedule, reportScheduleVersion } from '@bidwell/contract/report-schedules/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group, Menu, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import {
  deleteReportSchedule,
  sendReportNow,
  updateReportSchedule,
} from '../../../entities/report-schedules/queries.ts';
import { formatMoment } from '../../../lib/format/format.ts';
import { useDestroy } from '../../../ui/form/confirm.tsx';
import { useSave } from '../../../ui/form/use-save.ts';
import { Caption } from '../../../ui/layout/text.tsx';
import { StatusBadge } from '../../../ui/layout/status-badge.tsx';
import type { RecordColumn } from '../../../ui/table/record-table.tsx';
import { LogButton, RowMenu } from '../../../ui/table/row-menu.tsx';
import { RowSwitch } from '../../../ui/table/row-switch.tsx';
import { levelLabels } from '../report-columns.ts';
import { RunLog } from './run-log.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { FORMAT_LABELS, daysOf, inputOfSchedule, readersText, timesText } from './schedule-values.ts';

/** The columns of the list of scheduled reports, with the switch and the actions of each. */
export const scheduleColumns = (mayWrite: boolean): RecordColumn<ReportSchedule>[] => [
  {
    header: 'Report',
    wrap: 'anywhere',
    cell: ({ name, report, format }) => (
      <>
        <Text size="sm">{name}</Text>
        <Caption>
          {(Object.keys(report.levels) as ReportLevel[]).map((level) => levelLabels[level]).join(', ')}, as{' '}
          {format === 'mail' ? 'a table and chart' : FORMAT_LABELS[format]}
        </Caption>
      </>
    ),
  },
  {
    header: 'Sent',
    cell: (schedule) => (
      <>
        <Text size="sm">{timesText(schedule)}</Text>
        <Caption>
          {readersText(schedule)}
          {schedule.next_at && `, next ${formatMoment(schedule.next_at)}`}
        </Caption>
      </>
    ),
  },
  {
    header: 'Last report',
    cell: ({ last_run: run }) =>
      run ? (
        <>
          <StatusBadge status={run.status} />
          <Caption>{run.error ?? (run.finished_at && formatMoment(run.finished_at))}</Caption>
        </>
      ) : (
        'None yet'
      ),
  },
  {
    header: 'On',
    cell: (schedule) => (
      <RowSwitch
        name={schedule.name}
        isOn={schedule.is_enabled}
        mayWrite={mayWrite}
        send={(enabled) =>
          updateReportSchedule(
            schedule.uuid,
            { ...inputOfSchedule(schedule), is_enabled: enabled },
            versionOf(reportScheduleVersion, schedule),
          )
        }
      />
    ),
  },
  {
    header: 'Actions',
    actions: true,
    cell: (schedule) => <ScheduleActions schedule={schedule} mayWrite={mayWrite} />,
  },
];

function ScheduleActions({ schedule, mayWrite }: { schedule: ReportSchedule; mayWrite: boolean }) {
  const { uuid, name, report } = schedule;
  const [dialog, setDialog] = useState<'change' | 'log'>();
  const close = () => setDialog(undefined);
  const { save: sendNow } = useSave({
    send: () => sendReportNow(uuid),
    done: (run) => screenMessages.reportUnderWay(daysOf(run)),
    onSaved: () => setDialog('log'),
  });
  const { confirm: confirmRemove } = useDestroy({
    title: `Remove “${name}”?`,
    text: 'It is no longer sent, and its log is deleted. This cannot be undone.',
    action: 'Remove',
    send: () => deleteReportSchedule(uuid),
    done: screenMessages.removed(name),
  });
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <LogButton name={name} onClick={() => setDialog('log')} />
      {mayWrite && (
        <RowMenu name={name}>
          <Menu.Item onClick={() => sendNow()}>Send now</Menu.Item>
          <Menu.Item onClick={() => setDialog('change')}>Change</Menu.Item>
          <Menu.Item onClick={confirmRemove}>Remove</Menu.Item>
        </RowMenu>
      )}
      <Modal opened={dialog === 'log'} onClose={close} title={`Reports of “${name}”`} size="xl">
        {dialog === 'log' && <RunLog schedule={schedule} />}
      </Modal>
      <Modal opened={dialog === 'change'} onClose={close} title={`Change “${name}”`}>
        {dialog === 'change' && <ScheduleForm report={report} schedule={schedule} onDone={close} />}
      </Modal>
    </Group>
  );
}
