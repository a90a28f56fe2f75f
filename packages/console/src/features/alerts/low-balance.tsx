import { AlertSettings, alertSettingsVersion } from '@bidwell/contract/alerts/schema';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Box, Paper, Skeleton, Stack, Title } from '@mantine/core';
import { readAgain } from '../../lib/api/query-client.ts';
import { useLoadable } from '../../lib/loadable.ts';
import { alertSettingsQuery, saveAlertSettings } from '../../entities/alerts/queries.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { OptionalMoneyInput } from '../../ui/form/optional-money-input.tsx';
import { SubmitButton } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { Muted } from '../../ui/layout/text.tsx';

/** The balance at which the company is alerted. */
export function LowBalance() {
  const settings = useLoadable(alertSettingsQuery);
  return (
    <FigureFrame figures={settings} what="The low balance" skeleton={<Skeleton height={180} maw={800} />}>
      {(known) => <LowBalanceForm settings={known} />}
    </FigureFrame>
  );
}

const valuesOf = (settings: AlertSettings) => ({ ...settings });

function LowBalanceForm({ settings }: { settings: AlertSettings }) {
  const { form, busy, submit, changedElsewhere } = useSavedForm({
    initialValues: valuesOf(settings),
    entity: {
      saved: settings,
      valuesOf,
      version: alertSettingsVersion,
      reload: () => readAgain(alertSettingsQuery),
    },
    schema: AlertSettings,
    send: saveAlertSettings,
    done: consoleMessages.saved('Low balance'),
  });
  return (
    <Paper withBorder p="md" maw={800} component="section" aria-label="Low balance">
      <form onSubmit={submit} noValidate>
        <Stack>
          <div>
            <Title order={2} size="h5">
              Low balance
            </Title>
            <Muted>
              Sends an alert when your company’s balance falls to this amount, before campaigns stop. If it is
              already lower, the alert is sent at once.
            </Muted>
          </div>
          {changedElsewhere}
          <Box maw={240}>
            <OptionalMoneyInput
              label="Alert at"
              choice="No alert"
              {...form.getInputProps('balance_low')}
              value={form.values.balance_low}
            />
          </Box>
          <SubmitButton busy={busy} variant="default">
            Save amount
          </SubmitButton>
        </Stack>
      </form>
    </Paper>
  );
}
