import { changePaymentInstructions as endpoint } from '@bidwell/contract/operator/endpoints';
import { PaymentInstructions } from '@bidwell/contract/finance/schema';
import { Button, Group, Skeleton, Stack, Text, Textarea } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { combined, useLoadable } from '../../lib/loadable.ts';
import {
  changePaymentInstructions,
  paymentInstructionsQuery,
} from '../../entities/operator/money-queries.ts';
import { mayCall, operatorSessionQuery } from '../../entities/operator-accounts/session-queries.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { useTyped } from '../../ui/form/unsaved-input.ts';
import { useSave } from '../../ui/form/use-save.ts';

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
            <Instructions key={instructions} saved={instructions} />
          ) : (
            <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
              {instructions || 'None are written yet.'}
            </Text>
          )
        }
      </FigureFrame>
    </Section>
  );
}

function Instructions({ saved }: { saved: string }) {
  const [text, setText] = useTyped('How companies pay', saved);
  const [error, setError] = useState<string>();
  const { save, busy } = useSave({ send: changePaymentInstructions, done: 'Payment instructions saved' });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const parsed = PaymentInstructions.safeParse({ instructions: text });
    setError(parsed.error?.issues[0]?.message);
    if (parsed.success) save(parsed.data.instructions);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" maw={640}>
        <Textarea
          label="How companies pay"
          description="Shown where a company asks for funds: account, reference, how long it takes."
          autosize
          minRows={3}
          maxRows={12}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={error}
        />
        <Group>
          <Button type="submit" variant="default" loading={busy} disabled={text.trim() === saved}>
            Save instructions
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
