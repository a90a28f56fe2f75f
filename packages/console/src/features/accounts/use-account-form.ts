import { type FormErrors, type UseFormReturnType, schemaResolver, useForm } from '@mantine/form';
import { type FormEvent, useState } from 'react';
import type { ZodType } from 'zod';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { useSave } from '../../ui/form/use-save.ts';

interface AccountFormOptions<Values extends Record<string, unknown>> {
  initialValues: Values;
  /** What the values have to be. */
  schema: ZodType;
  /** Sends the values. Throws ApiError. */
  send: (values: Values) => Promise<void>;
  /** Shows why the values were not accepted. */
  onError: (error: unknown, form: UseFormReturnType<Values>) => void;
}

/** State of a form for visitors without a session, which is sent once its captcha is verified. */
export function useAccountForm<Values extends Record<string, unknown>>({
  initialValues,
  schema,
  send,
  onError,
}: AccountFormOptions<Values>) {
  const captcha = useCaptcha();
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues,
    validate: schemaResolver(schema, { sync: true }),
  });
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
  return { form, busy, submit, captcha: captcha.props, renewCaptcha: captcha.renew };
}

/** State of a form's captcha: whether it is verified, the props of `Captcha`, and the check before submitting. */
function useCaptcha() {
  const [isVerified, setVerified] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [error, setError] = useState<string>();
  return {
    props: {
      attempt,
      error,
      onVerified(verified: boolean) {
        setVerified(verified);
        if (verified) setError(undefined);
      },
    },
    /** Whether the form may be submitted; otherwise shows an error below the captcha. */
    check(): boolean {
      setError(isVerified ? undefined : accountMessages.captcha);
      return isVerified;
    },
    /** Requests a new captcha: a verified one is valid for one attempt. */
    renew() {
      setVerified(false);
      setAttempt((count) => count + 1);
    },
  };
}
