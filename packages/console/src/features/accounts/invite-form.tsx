import { shownAddress } from '@bidwell/contract/accounts/domain';
import { InvitationInput, type NewInvitation } from '@bidwell/contract/accounts/people';
import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import { Select, Stack, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useState } from 'react';
import { invite } from '../../entities/accounts/people-queries.ts';
import { roleOptions } from '../../entities/accounts/role-text.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { ShownOnce } from '../../ui/secrets/shown-once.tsx';

/** Asks for a mail address and a role, then shows the link, which is never shown again. */
export function InviteForm({ onDone }: { onDone: () => void }) {
  const [made, setMade] = useState<NewInvitation>();
  const { form, busy, submit } = useSavedForm({
    initialValues: { email: '', role: 'editor' as CompanyRole },
    validate: schemaResolver(InvitationInput, { sync: true }),
    send: invite,
    onSaved: setMade,
  });
  if (made) return <Link invitation={made} onDone={onDone} />;
  return (
    <DialogForm onSubmit={submit}>
      <Stack>
        <TextInput label="Email" type="email" data-autofocus withAsterisk {...form.getInputProps('email')} />
        <Select label="Role" data={roleOptions} allowDeselect={false} {...form.getInputProps('role')} />
        <FormButtons action="Invite" onCancel={onDone} busy={busy} />
      </Stack>
    </DialogForm>
  );
}

function Link({
  invitation: { email, link, is_mailed: isMailed },
  onDone,
}: {
  invitation: NewInvitation;
  onDone: () => void;
}) {
  return (
    <ShownOnce secret={link} testId="invitation-link" onDone={onDone}>
      {isMailed
        ? `A mail with this link is on its way to ${shownAddress(email)}.`
        : `No mail was sent: give this link to ${shownAddress(email)} yourself.`}{' '}
      It works once, for seven days, and is not shown again.
    </ShownOnce>
  );
}
