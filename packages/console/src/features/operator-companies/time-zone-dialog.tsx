import { Text } from '@mantine/core';
import { timeZonesWith } from '../../lib/format/time-zones.ts';
import { Choice } from '../../ui/form/choice.tsx';
import { ChangeCompanyDialog, type CompanyDialogProps } from './change-company-dialog.tsx';

const SHOWN_MAX = 100;

/** Changes the time zone of a company's days, and says what that changes from when. */
export function TimeZoneDialog(props: CompanyDialogProps) {
  const { name, time_zone: own } = props.company;
  return (
    <ChangeCompanyDialog
      {...props}
      title="Change the time zone"
      field="time_zone"
      valueOf={(company) => company.time_zone}
      changeOf={(timeZone) => (timeZone === own ? null : { time_zone: timeZone })}
      doneText={(timeZone) => `${name} now uses the time zone ${timeZone}`}
    >
      {(timeZone, onChange) => (
        <>
          <Text size="sm">
            This takes effect at once: daily budgets count what was spent since the last midnight in the new
            time zone, and campaigns start and end at its midnight.
          </Text>
          <Text size="sm">
            Reports and statements use the new days for the past too. Keep statements that you have handed
            over: a month may begin and end at another hour. The company is notified.
          </Text>
          <Choice
            label="Time zone"
            data={timeZonesWith(own)}
            value={timeZone}
            onChange={(value) => value !== null && onChange(value)}
            searchable
            limit={SHOWN_MAX}
          />
        </>
      )}
    </ChangeCompanyDialog>
  );
}
