import {
  type AppEventOfName,
  AppEventUpdate,
  EVENT_LABEL_MAX,
  PAYER_RULES,
  PAYER_RULES_MAX,
} from '@bidwell/contract/apps/event-settings';
import { consoleMessages } from '@bidwell/contract/text/messages';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Modal, Select, Stack, Switch } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { updateAppEvents } from '../../entities/apps/queries.ts';
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

const validate = schemaResolver(AppEventUpdate, { sync: true });
const payers = PAYER_RULES.map((value) => ({ value, label: payerTexts[value] }));

/** Dialog that changes how the events of one name are shown, and whether they make a payer. */
export function AppEventDialog({ uuid, event, onClose }: AppEventDialogProps) {
  useFocusReturn();
  const { name, label, offered, payer } = event;
  const { form, busy, submit } = useSavedForm({
    initialValues: { name, label: label ?? '', offered, payer },
    validate,
    send: async (values) => updateAppEvents(uuid, { events: [AppEventUpdate.parse(values)] }),
    done: consoleMessages.saved('Event'),
    onSaved: onClose,
  });
  return (
    <Modal opened onClose={onClose} title={`Edit ${name}`} centered>
      <form onSubmit={submit} noValidate>
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
            description="Events that do not matter can be left out. They count all the same."
            {...form.getInputProps('offered', { type: 'checkbox' })}
          />
          <Select
            label="Makes a person a payer"
            description={screenMessages.appEventPayer(PAYER_RULES_MAX)}
            data={payers}
            allowDeselect={false}
            {...form.getInputProps('payer')}
          />
          <FormButtons action="Save event" onCancel={onClose} busy={busy} />
        </Stack>
      </form>
    </Modal>
  );
}
