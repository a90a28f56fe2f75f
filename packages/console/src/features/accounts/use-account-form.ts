import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form';
import type { FormEvent } from 'react';
import { useCaptcha } from './use-captcha.ts';
import { useSave } from '../../ui/form/use-save.ts';

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
  const form = useForm<Values>({ mode: 'uncontrolled', initialValues, validate });
  const onInvalid = (errors: FormErrors) => {
    captcha.check();
    form.getInputNode(Object.keys(errors)[0]!)?.focus();
  };
  const { save, busy } = useSave({
    send,
    onFailure: (error) => {
      onError(error, form);
      captcha.renew();
    },
    shownInPlace: true,
  });
  const submit: (event: FormEvent<HTMLFormElement>) => void = form.onSubmit((values) => {
    if (captcha.check()) save(values);
  }, onInvalid);
  return { form, busy, submit, captcha: captcha.props };
}
