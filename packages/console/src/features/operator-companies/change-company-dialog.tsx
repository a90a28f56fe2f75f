import {
  type CompanyTerms,
  type OperatorCompany,
  operatorCompanyVersion,
} from '@bidwell/contract/operator/schema';
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { changeCompany, companyQuery } from '../../entities/companies/queries.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { readAgain } from '../../lib/api/query-client.ts';

/** A company and whether the dialog that changes it is open. */
export interface CompanyDialogProps {
  opened: boolean;
  company: OperatorCompany;
  onClose: () => void;
}

interface ChangeProps<Value> {
  company: OperatorCompany;
  /** Name of the value, such as `time_zone`. */
  field: string;
  /** The value of a company, with which the form begins. */
  valueOf: (company: OperatorCompany) => Value;
  /** The update to send; null if nothing changes or the value is not valid. */
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
    <Modal opened={opened} onClose={onClose} title={title}>
      {opened && <ChangeForm {...change} onDone={onClose} />}
    </Modal>
  );
}

function ChangeForm<Value>({
  company,
  field,
  valueOf,
  changeOf,
  doneText,
  children,
  onDone,
}: ChangeProps<Value> & { onDone: () => void }) {
  const valuesOf = (one: OperatorCompany): Record<string, Value> => ({ [field]: valueOf(one) });
  const { form, busy, submit, changedElsewhere } = useSavedForm<
    Record<string, Value>,
    unknown,
    OperatorCompany
  >({
    initialValues: valuesOf(company),
    entity: {
      saved: company,
      valuesOf,
      version: operatorCompanyVersion,
      reload: () => readAgain(companyQuery(company.uuid)),
    },
    send: (values, version) => changeCompany(company.uuid, changeOf(values[field]!) ?? {}, version),
    done: (_saved, values) => doneText(values[field]!),
    onSaved: onDone,
  });
  const value = form.values[field]!;
  return (
    <DialogForm onSubmit={submit}>
      {changedElsewhere}
      {children(value, (changed) => form.setFieldValue(field, changed as never))}
      <FormButtons action="Change" onCancel={onDone} busy={busy} disabled={!changeOf(value)} />
    </DialogForm>
  );
}
