import type { ModerationItem } from '@bidwell/contract/moderation/schema';
import { Button, Checkbox, Kbd, Modal, Stack, Text, Textarea, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import type { Verdict } from './decision-outbox.ts';
import classes from './review.module.css';

interface RejectDialogProps {
  /** The items to reject; empty while the dialog is closed. */
  items: readonly ModerationItem[];
  onClose: () => void;
  onReject: (verdict: Verdict) => void;
}

/** Asks why something is rejected: a usual reason by its number, or one's own. */
export function RejectDialog({ items, onClose, onReject }: RejectDialogProps) {
  const [first] = items;
  const title = items.length === 1 ? `Reject “${first!.name}”` : `Reject ${items.length} items`;
  return (
    <Modal opened={first !== undefined} onClose={onClose} title={title} transitionProps={{ duration: 0 }}>
      {first && <Reasons items={items} onReject={onReject} />}
    </Modal>
  );
}

function Reasons({ items, onReject }: Omit<RejectDialogProps, 'onClose'>) {
  const [own, setOwn] = useState('');
  const [withdraw, setWithdraw] = useState(false);
  const reasons = rejectReasons[items[0]!.entity];
  const rejectFor = (reason: string) =>
    onReject({ status: 'Rejected', reason, ...(withdraw && { withdraw: true }) });
  const onKeyDown = ({ key, target }: KeyboardEvent) => {
    const reason = target instanceof HTMLTextAreaElement ? undefined : reasons[Number(key) - 1];
    if (reason !== undefined) rejectFor(reason);
  };
  return (
    <DialogForm onSubmit={() => own.trim() !== '' && rejectFor(own.trim())}>
      <Stack gap="sm" onKeyDown={onKeyDown}>
        <Muted>The advertiser sees the reason.</Muted>
        <Stack gap={2}>
          {reasons.map((reason, index) => (
            <UnstyledButton
              key={reason}
              className={classes['reason']}
              data-autofocus={index === 0 || undefined}
              onClick={() => rejectFor(reason)}
            >
              <Kbd size="xs">{index + 1}</Kbd>
              <Text span size="sm">
                {reason}
              </Text>
            </UnstyledButton>
          ))}
        </Stack>
        <Textarea
          label="Another reason"
          autosize
          minRows={2}
          maxLength={500}
          value={own}
          onChange={(event) => setOwn(event.currentTarget.value)}
        />
        {items.some(({ approved }) => approved !== null) && (
          <Checkbox
            label="Also stop the version that was approved before"
            checked={withdraw}
            onChange={(event) => setWithdraw(event.currentTarget.checked)}
          />
        )}
        <Button type="submit" color="red.8" disabled={own.trim() === ''}>
          Reject with this reason
        </Button>
      </Stack>
    </DialogForm>
  );
}

const link = 'The link does not lead to the advertised app.';
const brand = 'It uses the name or logo of someone else without permission.';
const misleading = 'It promises something that the app does not offer.';
const adult = 'It shows adult, violent or shocking content.';
const system = 'It imitates a system message, a warning or a button of another app.';
const language = 'The text has errors or cannot be understood.';

/** Usual reasons of a rejection, which the advertiser reads, by kind of entity. At most nine. */
const rejectReasons: Record<ModerationItem['entity'], readonly string[]> = {
  app: [
    'The store link does not lead to an app with this name.',
    'The app’s category is not advertised here.',
    brand,
    adult,
  ],
  creative: [
    misleading,
    system,
    'It is blurred, cut off or cannot be read.',
    adult,
    brand,
    link,
    'It loads files from other servers.',
    'It does not work: nothing happens on a tap.',
  ],
  creative_group: [misleading, system, language, adult, brand],
  tracking_link: [link, 'The link leads to an error.', 'The link downloads a file.'],
};
