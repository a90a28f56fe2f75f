import type { Mmp } from '@bidwell/contract/apps/fields';
import {
  POSTBACK_TEST_STEPS,
  type PostbackTest,
  type PostbackTestStep,
} from '@bidwell/contract/postbacks/schema';
import { Button, Group, Modal, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { brand } from '../../lib/brand.ts';
import { failureText } from '../../lib/api/api-error.ts';
import { partnerInText } from '@bidwell/contract/measurement/partners/partners';
import { testPostback } from '../../entities/postbacks/queries.ts';
import { SecondaryButton, SmallButton } from '../../ui/layout/buttons.tsx';
import { Caption, LongText, Muted } from '../../ui/layout/text.tsx';

const stepNames: Record<PostbackTestStep, string> = {
  address: 'Address',
  secret: 'Secret in the URL',
  credential: 'Token or signature',
  network: 'Network',
  click: 'Click',
  install: 'Install',
};

const looks = {
  passed: { color: 'teal', icon: IconCheck, label: 'Passed' },
  failed: { color: 'red', icon: IconX, label: 'Failed' },
  skipped: { color: 'gray', icon: IconMinus, label: 'Skipped' },
} as const;

/** Opens a dialog that sends a test install to the partner's postback URL, and shows the result of each step. */
export function TestInstall({ mmp }: { mmp: Mmp }) {
  const [opened, { open, close }] = useDisclosure(false);
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => testPostback(mmp) });
  const name = partnerInText(mmp);
  const start = () => {
    open();
    mutate();
  };
  return (
    <>
      <SmallButton onClick={start}>Test install</SmallButton>
      <Modal opened={opened} onClose={close} title={`Test install as from ${name}`} size="lg">
        <Stack>
          <Muted>
            {brand.name} sends the install of a made-up click to your postback URL, as {name} does. It appears
            in no report. The settings at {name} are not tested.
          </Muted>
          <div role="status">
            {error ? (
              <Text size="sm" c="var(--mantine-color-error)">
                {failureText(error)}
              </Text>
            ) : (
              <Steps tested={isPending ? undefined : data} />
            )}
          </div>
          <Group justify="flex-end">
            <SecondaryButton loading={isPending} onClick={() => mutate()}>
              Test again
            </SecondaryButton>
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function Steps({ tested }: { tested: PostbackTest | undefined }) {
  return (
    <Stack>
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {tested
          ? tested.steps.map((one) => <Step key={one.step} {...one} />)
          : POSTBACK_TEST_STEPS.map((step) => <Skeleton key={step} component="li" height={42} />)}
      </Stack>
      {tested && <Caption style={{ overflowWrap: 'anywhere' }}>{tested.address}</Caption>}
    </Stack>
  );
}

function Step({ step, result, text }: PostbackTest['steps'][number]) {
  const { color, icon: Icon, label } = looks[result];
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="sm">
      <ThemeIcon variant="light" color={color} size={26} radius="xl" role="img" aria-label={label}>
        <Icon size={15} aria-hidden />
      </ThemeIcon>
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={500}>
          {stepNames[step]}
        </Text>
        <LongText>{text}</LongText>
      </div>
    </Group>
  );
}
