import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { useForm } from '@mantine/form';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { useCaptcha } from './use-captcha.ts';

interface AccountFormOptions<Values extends Record<string, unknown>> {
  initialValues: Values;
  /** Messages by field. */
  validate: (values: Values) => FormErrors;
  /** Sends the values. Throws ApiError. */
  send: (values: Values) => Promise<void>;
  /** Shows why the values were not accepted. */
  onError: (error: unknown, form: UseFormReturnType<Values>) => void;
}

/** State of a form for visitors without a session, which is sent once its captcha is verified. */
export function useAccountForm<Values extends Record<string, unknown>>({
  initialValues,
  validate,
  send,
  onError,
}: AccountFormOptions<Values>) {
  const captcha = useCaptcha();
  const [busy, setBusy] = useState(false);
  const form = useForm<Values>({ mode: 'uncontrolled', initialValues, validate });
  const onInvalid = (errors: FormErrors) => {
    captcha.check();
    form.getInputNode(Object.keys(errors)[0]!)?.focus();
  };
  const sendVerified = async (values: Values) => {
    if (!captcha.check()) return;
    setBusy(true);
    try {
      await send(values);
    } catch (error) {
      onError(error, form);
      captcha.renew();
    } finally {
      setBusy(false);
    }
  };
  const submit: (event: FormEvent<HTMLFormElement>) => void = form.onSubmit(
    (values) => void sendVerified(values),
    onInvalid,
  );
  return { form, busy, submit, captcha: captcha.props };
}
