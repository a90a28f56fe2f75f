import { type Company, CompanyInput, companyVersion } from '@bidwell/contract/accounts/schema';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Paper, Stack, Switch, Text, TextInput } from '@mantine/core';
import { accountQuery } from '../../lib/api/account.ts';
import { readAgain } from '../../lib/api/query-client.ts';
import { personCalls } from '../../entities/accounts/sign-in/sign-in-calls.ts';
import { secondFactorsQuery } from '../../entities/accounts/sign-in/sign-in-queries.ts';
import { saveCompany } from '../../entities/accounts/company-queries.ts';
import { isKnown, useLoadable } from '../../lib/loadable.ts';
import { timeZonesWith } from '../../lib/format/time-zones.ts';
import { FailureNotice } from '../../ui/chart/figure-frame.tsx';
import { SkeletonBar } from '../../ui/chart/skeleton-bar.tsx';
import { Choice } from '../../ui/form/choice.tsx';
import { SubmitButton } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';

/** Options that are shown of a long list. */
const SHOWN_MAX = 100;

const valuesOf = ({ name, time_zone, second_factor_required }: Company) => ({
  name,
  time_zone,
  second_factor_required,
});

/** Form of the company's name and the time zone of its days. */
export function CompanyForm({ company }: { company: Company }) {
  const { uuid, time_zone } = company;
  const { form, busy, submit, changedElsewhere } = useSavedForm({
    initialValues: valuesOf(company),
    entity: {
      saved: company,
      valuesOf,
      version: companyVersion,
      reload: async () => (await readAgain(accountQuery)).company,
    },
    schema: CompanyInput,
    send: (values, version) => saveCompany(uuid, values, version),
    done: consoleMessages.saved('Company'),
  });
  const factors = useLoadable(secondFactorsQuery(personCalls));
  const lacksFactor = isKnown(factors) && !factors.data.has_authenticator && factors.data.passkeys === 0;
  const isOtherZone = form.values.time_zone !== time_zone;
  return (
    <Paper withBorder p="md" maw={560} component="section" aria-label="Company">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text component="h2" size="md" fw={600}>
            Company
          </Text>
          {changedElsewhere}
          <TextInput
            label="Company name"
            description="Exchanges and publishers see it as the advertiser who pays."
            withAsterisk
            {...form.getInputProps('name')}
          />
          <Choice
            label="Time zone"
            description="Budgets, campaigns and reports use the days of this time zone."
            data={timeZonesWith(time_zone)}
            searchable
            limit={SHOWN_MAX}
            {...form.getInputProps('time_zone')}
          />
          <Switch
            label="Require a second factor for everyone"
            description={
              factors.state === 'loading' ? (
                <SkeletonBar width={260} />
              ) : lacksFactor ? (
                accountMessages.ownFactorFirst
              ) : (
                'People without one set it up when they next log in, before they can do anything else.'
              )
            }
            disabled={lacksFactor && !form.values.second_factor_required}
            {...form.getInputProps('second_factor_required', { type: 'checkbox' })}
          />
          <FailureNotice figures={factors} what="Your second factors" m={0} />
          {isOtherZone && (
            <Text size="sm" role="status">
              Daily budgets immediately count what was spent since the last midnight in the new time zone.
              Reports and statements use the new days for the past too.
            </Text>
          )}
          <SubmitButton busy={busy}>Save company</SubmitButton>
        </Stack>
      </form>
    </Paper>
  );
}
