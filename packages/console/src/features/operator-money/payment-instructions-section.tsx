import { changePaymentInstructions as endpoint } from '@bidwell/contract/operator/endpoints';
import { PaymentInstructions, paymentInstructionsVersion } from '@bidwell/contract/finance/schema';
import { Group, Skeleton, Stack, Text, Textarea } from '@mantine/core';
import { combined, useLoadable } from '../../lib/loadable.ts';
import {
  changePaymentInstructions,
  paymentInstructionsQuery,
} from '../../entities/operator/money-queries.ts';
import { mayCall, operatorSessionQuery } from '../../entities/operator-accounts/session-queries.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { readAgain } from '../../lib/api/query-client.ts';

/** The payment instructions that companies see when they request funds. */
export function PaymentInstructionsSection() {
  const operator = useLoadable(operatorSessionQuery);
  const loaded = useLoadable(paymentInstructionsQuery);
  return (
    <Section title="Payment instructions">
      <FigureFrame
        figures={combined(loaded, operator)}
        what="The instructions"
        skeleton={<Skeleton height={80} />}
      >
        {([instructions, session]) =>
          mayCall(session?.role, endpoint.permission) ? (
            <Instructions saved={instructions} />
          ) : (
            <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
              {instructions.instructions || 'There are none yet.'}
            </Text>
          )
        }
      </FigureFrame>
    </Section>
  );
}

/** Form of the instructions, which follows what another operator saves. */
export function Instructions({ saved }: { saved: PaymentInstructions }) {
  const { form, busy, submit, changedElsewhere } = useSavedForm<
    PaymentInstructions,
    void,
    PaymentInstructions
  >({
    initialValues: saved,
    entity: {
      saved,
      valuesOf: ({ instructions }) => ({ instructions }),
      version: paymentInstructionsVersion,
      reload: () => readAgain(paymentInstructionsQuery),
      labelOf: () => 'How companies pay',
    },
    schema: PaymentInstructions,
    send: (values, version) => changePaymentInstructions(PaymentInstructions.parse(values), version),
    done: 'Payment instructions saved',
  });
  return (
    <form onSubmit={submit} noValidate>
      {changedElsewhere}
      <Stack gap="sm" maw={640}>
        <Textarea
          label="How companies pay"
          description="Shown where a company asks for funds: account, reference, how long it takes."
          autosize
          minRows={3}
          maxRows={12}
          {...form.getInputProps('instructions')}
        />
        <Group>
          <SecondaryButton
            type="submit"
            loading={busy}
            disabled={form.values.instructions.trim() === saved.instructions}
          >
            Save instructions
          </SecondaryButton>
        </Group>
      </Stack>
    </form>
  );
}
