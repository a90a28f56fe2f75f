import {
  type AppEventOfName,
  AppEventUpdate,
  EVENT_LABEL_MAX,
  PAYER_RULES,
  PAYER_RULES_MAX,
  appEventSettingsVersion,
} from '@bidwell/contract/apps/event-settings';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Modal, Stack, Switch } from '@mantine/core';
import { readAgain } from '../../lib/api/query-client.ts';
import { appEventsQuery, updateAppEvents } from '../../entities/apps/queries.ts';
import { Choice } from '../../ui/form/choice.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { CountedInput } from '../../ui/form/form-fields.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { useFocusReturn } from '../../ui/layout/use-focus-return.ts';
import { payerTexts } from './app-event-text.ts';

interface AppEventDialogProps {
  /** Of the app. */
  uuid: string;
  event: AppEventOfName;
  onClose: () => void;
}

const payers = PAYER_RULES.map((value) => ({ value, label: payerTexts[value] }));

type EventValues = Pick<AppEventOfName, 'name' | 'offered' | 'payer'> & { label: string };

const valuesOf = ({ name, label, offered, payer }: AppEventOfName): EventValues => ({
  name,
  label: label ?? '',
  offered,
  payer,
});

const labels: Readonly<Record<string, string>> = {
  label: 'Name on screen',
  offered: 'Offered in choices of events',
  payer: 'Makes a person a payer',
};

/** Dialog that changes how the events of one name are shown, and whether they make a payer. */
export function AppEventDialog({ uuid, event, onClose }: AppEventDialogProps) {
  useFocusReturn();
  const { name } = event;
  const { form, busy, submit, changedElsewhere } = useSavedForm<EventValues, unknown, AppEventOfName>({
    initialValues: valuesOf(event),
    entity: {
      saved: event,
      valuesOf,
      // The call compares the settings of all events, not a single one: it is read before it is saved.
      version: appEventSettingsVersion,
      isPart: true,
      reload: async () =>
        (await readAgain(appEventsQuery(uuid))).events.find((each) => each.name === name) ?? event,
      labelOf: (field) => labels[field],
      nameOf: (field, value) => (field === 'payer' ? payerTexts[value as EventValues['payer']] : undefined),
    },
    schema: AppEventUpdate,
    send: async (values) => updateAppEvents(uuid, { events: [AppEventUpdate.parse(values)] }),
    done: consoleMessages.saved('Event'),
    onSaved: onClose,
  });
  return (
    <Modal opened onClose={onClose} title={`Edit ${name}`}>
      <form onSubmit={submit} noValidate>
        {changedElsewhere}
        <Stack>
          <CountedInput
            label="Name on screen"
            description="In reports and choices, in place of the partner’s name"
            placeholder={name}
            data-autofocus
            maxLength={EVENT_LABEL_MAX}
            {...form.getInputProps('label')}
          />
          <Switch
            label="Offered in choices of events"
            description="Leave out events that do not matter to you. They are still counted."
            {...form.getInputProps('offered', { type: 'checkbox' })}
          />
          <Choice
            label="Makes a person a payer"
            description={screenMessages.appEventPayer(PAYER_RULES_MAX)}
            data={payers}
            {...form.getInputProps('payer')}
          />
          <FormButtons action="Save event" onCancel={onClose} busy={busy} />
        </Stack>
      </form>
    </Modal>
  );
}
