import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import type { Person } from '@bidwell/contract/accounts/people';
import type { ReportDestination } from '@bidwell/contract/report-schedules/destination-schema';
import {
  type ReportSchedule,
  ReportScheduleInput,
  reportScheduleVersion,
} from '@bidwell/contract/report-schedules/schema';
import type { ReportContent } from '@bidwell/contract/reports/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group, MultiSelect, Text } from '@mantine/core';
import { type FormErrors, type UseFormReturnType, schemaResolver } from '@mantine/form';
import { hourOptions } from '../../../lib/format/hours.ts';
import { readAgain } from '../../../lib/api/query-client.ts';
import { combined, useLoadable } from '../../../lib/loadable.ts';
import { peopleQuery } from '../../../entities/accounts/people-queries.ts';
import { reportDestinationsQuery } from '../../../entities/report-schedules/destination-queries.ts';
import {
  createReportSchedule,
  reportSchedulesQuery,
  updateReportSchedule,
} from '../../../entities/report-schedules/queries.ts';
import { userId } from '../../../lib/api/session.ts';
import { Choice } from '../../../ui/form/choice.tsx';
import { DialogForm } from '../../../ui/form/dialog-form.tsx';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { FormButtons } from '../../../ui/form/form-buttons.tsx';
import { NameInput } from '../../../ui/form/form-fields.tsx';
import { useSavedForm } from '../../../ui/form/saved-form.ts';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { FieldsSkeleton } from '../../../ui/layout/edit-screen.tsx';
import { ButtonLink } from '../../../ui/layout/links.tsx';
import { Segments } from '../../../ui/layout/segments.tsx';
import {
  FORMAT_LABELS,
  type ScheduleValues,
  WEEKDAYS,
  inputOf,
  newValues,
  valuesOf,
} from './schedule-values.ts';

const formatOptions = (['mail', 'csv', 'parquet'] as const).map((value) => ({
  value,
  label: FORMAT_LABELS[value],
}));
const frequencyOptions = [
  { value: 'daily', label: 'Daily, for the day before' },
  { value: 'weekly', label: 'Weekly, for the seven days before' },
  { value: 'monthly', label: 'Monthly, for the month before' },
];
const weekdayOptions = WEEKDAYS.map((label, index) => ({ value: String(index + 1), label }));

const NO_MAILS = 'This server sends no mails: an operator has to set up a mail server first.';
const NO_DESTINATIONS = 'To send the report elsewhere, add a webhook or a bucket first.';
const DESTINATIONS_ONLY = 'This server sends no mails: the report goes to your destinations.';

interface ScheduleFormProps {
  /** The report. */
  report: ReportContent;
  /** The schedule that is changed; undefined for a new one. */
  schedule?: ReportSchedule;
  onDone: () => void;
}

/** Form of a scheduled report: its name, times, recipients and format. */
export function ScheduleForm(props: ScheduleFormProps) {
  const choices = combined(
    useLoadable(peopleQuery),
    useLoadable(reportSchedulesQuery),
    useLoadable(reportDestinationsQuery),
  );
  return (
    <FigureFrame figures={choices} what="The form" skeleton={<FieldsSkeleton />}>
      {([{ people }, { is_mailed: isMailed }, destinations]) =>
        !props.schedule && !isMailed && destinations.length === 0 ? (
          <Nowhere {...props} />
        ) : (
          <Fields
            {...props}
            readers={people.filter(({ role }) => companyRoleHas(role, 'report.read'))}
            isMailed={isMailed}
            destinations={destinations}
          />
        )
      }
    </FigureFrame>
  );
}

/** In place of a form that could not be sent: there is nowhere to send a report to. */
function Nowhere({ onDone }: Pick<ScheduleFormProps, 'onDone'>) {
  return (
    <>
      <Text size="sm">
        {NO_MAILS} {NO_DESTINATIONS}
      </Text>
      <Group mt="md" justify="flex-end">
        <SecondaryButton onClick={onDone}>Cancel</SecondaryButton>
        <ButtonLink to="/reports/scheduled" data-autofocus>
          Add a destination
        </ButtonLink>
      </Group>
    </>
  );
}

/** The errors of the form where it sends no mails: that no one gets the report is said at the destinations. Pure. */
function toDestinations(errors: FormErrors): FormErrors {
  const { user_uuids: noReaders, ...others } = errors;
  return noReaders ? { ...others, destination_uuids: noReaders } : errors;
}

function Fields({
  report,
  schedule,
  onDone,
  readers,
  isMailed,
  destinations,
}: ScheduleFormProps & {
  readers: readonly Person[];
  isMailed: boolean;
  destinations: readonly ReportDestination[];
}) {
  const errorsOf = (errors: FormErrors) =>
    isMailed || destinations.length === 0 ? errors : toDestinations(errors);
  const valuesOfSchedule = (one: ReportSchedule) => valuesOf(one, readers);
  const { form, busy, submit, changedElsewhere } = useSavedForm<ScheduleValues, void, ReportSchedule>({
    initialValues: schedule ? valuesOfSchedule(schedule) : newValues(report, userId() ?? '', isMailed),
    entity: schedule && {
      saved: schedule,
      valuesOf: valuesOfSchedule,
      version: reportScheduleVersion,
      reload: async () =>
        (await readAgain(reportSchedulesQuery)).schedules.find(({ uuid }) => uuid === schedule.uuid) ??
        schedule,
      nameOf: (field, value) => {
        const person = readers.find(({ uuid }) => uuid === value);
        if (field === 'user_uuids') return person && nameOf(person);
        return destinations.find(({ uuid }) => uuid === value)?.name;
      },
    },
    validate: (values) => errorsOf(schemaResolver(ReportScheduleInput, { sync: true })(inputOf(values))),
    send: (values, version) =>
      schedule
        ? updateReportSchedule(schedule.uuid, inputOf(values), version)
        : createReportSchedule(inputOf(values)),
    done: (_saved, { name }) =>
      schedule ? screenMessages.reportScheduleSaved(name) : screenMessages.reportScheduled(name),
    onSaved: onDone,
  });
  // A table that people read is no file.
  const isFile = form.values.format !== 'mail';
  const chosen = form.values.user_uuids;
  return (
    <DialogForm onSubmit={submit}>
      {changedElsewhere}
      {!isMailed && <Text size="sm">{destinations.length > 0 ? DESTINATIONS_ONLY : NO_MAILS}</Text>}
      <NameInput data-autofocus {...form.getInputProps('name')} />
      <TimeFields form={form} />
      <MultiSelect
        label="To"
        withAsterisk={isMailed && (!isFile || destinations.length === 0)}
        searchable
        {...(!isMailed && {
          description: NO_MAILS,
          // Who was chosen before can still be removed.
          disabled: chosen.length === 0,
        })}
        data={readers
          .filter(({ uuid }) => isMailed || chosen.includes(uuid))
          .map((person) => ({ value: person.uuid, label: nameOf(person) }))}
        {...form.getInputProps('user_uuids')}
      />
      <Segments
        label="As"
        {...form.getInputProps('format')}
        value={form.values.format}
        options={formatOptions.filter(
          ({ value }) => isMailed || value !== 'mail' || form.values.format === 'mail',
        )}
      />
      {isFile && destinations.length > 0 && (
        <MultiSelect
          label={isMailed ? 'Also to' : 'To destinations'}
          withAsterisk={!isMailed && chosen.length === 0}
          searchable
          data={destinations.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          {...form.getInputProps('destination_uuids')}
        />
      )}
      <FormButtons action={schedule ? 'Save' : 'Schedule'} onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}

/** When the report is sent. */
function TimeFields({ form }: { form: UseFormReturnType<ScheduleValues> }) {
  return (
    <>
      <Choice label="How often" data={frequencyOptions} {...form.getInputProps('frequency')} />
      <Group align="start" grow>
        {form.values.frequency === 'weekly' && (
          <Choice label="On" data={weekdayOptions} {...form.getInputProps('weekday')} />
        )}
        <Choice
          label="At"
          description="In your company’s time zone"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={hourOptions}
          {...form.getInputProps('hour')}
        />
      </Group>
    </>
  );
}

/** People may have the same name, and not the same login. */
function nameOf({ first_name: first, last_name: last, login }: Person): string {
  const name = `${first} ${last}`.trim();
  return name === '' ? login : `${name} (${login})`;
}
