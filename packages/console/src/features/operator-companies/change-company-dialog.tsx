import type { CompanyTerms, OperatorCompany } from '@bidwell/contract/operator/schema';
import { Button, Group, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { changeCompany } from '../../entities/companies/queries.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { useSave } from '../../ui/form/use-save.ts';

/** A company and whether the dialog that changes it is open. */
export interface CompanyDialogProps {
  opened: boolean;
  company: OperatorCompany;
  onClose: () => void;
}

interface ChangeProps<Value> {
  company: OperatorCompany;
  /** The value with which the form begins. */
  initial: Value;
  /** What is sent; null where nothing changes or the value is not valid. */
  changeOf: (value: Value) => CompanyTerms | null;
  doneText: (value: Value) => string;
  /** The explanation and the input. */
  children: (value: Value, onChange: (value: Value) => void) => ReactNode;
}

/** A dialog in which an operator changes one value of a company. */
export function ChangeCompanyDialog<Value>({
  opened,
  onClose,
  title,
  ...change
}: CompanyDialogProps & ChangeProps<Value> & { title: string }) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered>
      {opened && <ChangeForm {...change} onDone={onClose} />}
    </Modal>
  );
}

function ChangeForm<Value>({
  company,
  initial,
  changeOf,
  doneText,
  children,
  onDone,
}: ChangeProps<Value> & { onDone: () => void }) {
  const [value, setValue] = useState(initial);
  const change = changeOf(value);
  const { save, busy } = useSave({
    send: (terms: CompanyTerms) => changeCompany(company.uuid, terms),
    done: () => doneText(value),
    onSaved: onDone,
  });
  return (
    <DialogForm onSubmit={() => change && save(change)}>
      {children(value, setValue)}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} disabled={!change}>
          Change
        </Button>
      </Group>
    </DialogForm>
  );
}
