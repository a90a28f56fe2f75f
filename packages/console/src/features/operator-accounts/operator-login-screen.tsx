import { ungroupedCode } from '@bidwell/contract/accounts/typed-code';
import type {
  OperatorAccount,
  OperatorLogin,
  OperatorLoginStep,
} from '@bidwell/contract/operator-accounts/schema';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Button, Center, Code, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { hasSessionEnded, takeReturnAddress } from '../../lib/api/return-address.ts';
import { failureText } from '../../lib/api/api-error.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { logIn, logInByPasskey, logInWithPasskey } from '../../entities/operator-accounts/log-in.ts';
import { operatorSessionQuery } from '../../entities/operator-accounts/session-queries.ts';
import { PasskeyButton } from '../../entities/accounts/sign-in/passkey-button.tsx';
import { QrCode } from '../../entities/accounts/sign-in/qr-code.tsx';
import { ErrorText } from '../../ui/form/error-text.tsx';
import { BrandLogo } from '../../ui/layout/brand-logo.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { Caption } from '../../ui/layout/text.tsx';

const CODE_DIGITS = 6;
/** More than a recovery code with what groups it. */
const TYPED_MAX = 60;

type Step = Exclude<OperatorLoginStep, { next: 'session' }>;

/** The steps of a login: the input, the next step, and its options. */
function useLoginSteps() {
  const router = useRouter();
  const [credentials, setCredentials] = useState<OperatorLogin>({ login: '', password: '' });
  const [step, setStep] = useState<Step>();
  const [error, setError] = useState('');
  const enter = (operator: OperatorAccount) => {
    queryClient.setQueryData(operatorSessionQuery.queryKey, operator);
    router.history.push(takeReturnAddress(operator.uuid) ?? '/operator');
  };
  const goOn = (next: OperatorLoginStep) => (next.next === 'session' ? enter(next.operator) : setStep(next));
  const onFailure = (failure: unknown) => setError(failureText(failure));
  const { save, busy } = useSave({
    send: (code: string | undefined) => {
      setError('');
      return logIn({ ...credentials, ...(code && { code }) });
    },
    onSaved: goOn,
    onFailure,
    shownInPlace: true,
  });
  const back = () => {
    setStep(undefined);
    setError('');
  };
  return { credentials, setCredentials, step, error, setError, busy, save, enter, goOn, onFailure, back };
}

/** /operator/login: a passkey alone, or login and password, then the code of the authenticator app or a passkey. */
export function OperatorLoginScreen() {
  const { credentials, step, error, busy, save, ...steps } = useLoginSteps();
  const { onFailure } = steps;
  const alone = (
    <PasskeyButton
      label="Log in with a passkey"
      send={() => {
        steps.setError('');
        return logInByPasskey();
      }}
      onPassed={steps.enter}
      onFailure={onFailure}
    />
  );
  const second = (
    <PasskeyButton
      label="Use a passkey"
      send={() => {
        steps.setError('');
        return logInWithPasskey(credentials);
      }}
      onPassed={steps.goOn}
      onFailure={onFailure}
    />
  );
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={400} gap="lg">
        <Stack align="center" gap={8}>
          <BrandLogo height={40} maxWidth={280} isNamed />
          <Title order={1} size="h2">
            Operator console
          </Title>
        </Stack>
        <Paper withBorder p="lg" radius="lg">
          {step ? (
            <CodeForm
              step={step}
              busy={busy}
              error={error}
              onCode={save}
              onBack={steps.back}
              passkeyButton={second}
            />
          ) : (
            <CredentialsForm
              credentials={credentials}
              busy={busy}
              error={error}
              onChange={steps.setCredentials}
              onSubmit={() => save(undefined)}
              passkeyButton={alone}
            />
          )}
        </Paper>
      </Stack>
    </Center>
  );
}

interface CredentialsFormProps {
  credentials: OperatorLogin;
  busy: boolean;
  error: string;
  onChange: (credentials: OperatorLogin) => void;
  onSubmit: () => void;
  /** Logs in by a passkey alone. */
  passkeyButton: ReactNode;
}

function CredentialsForm(props: CredentialsFormProps) {
  const { credentials, busy, error, onChange, onSubmit, passkeyButton } = props;
  const [hasEnded] = useState(hasSessionEnded);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {hasEnded && <Text size="sm">{consoleMessages.sessionOver}</Text>}
        <TextInput
          label="Login"
          autoComplete="username"
          autoFocus
          required
          value={credentials.login}
          onChange={(event) => onChange({ ...credentials, login: event.currentTarget.value })}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          value={credentials.password}
          onChange={(event) => onChange({ ...credentials, password: event.currentTarget.value })}
        />
        <Failure text={error} />
        <Button type="submit" loading={busy} fullWidth>
          Continue
        </Button>
        {passkeyButton}
      </Stack>
    </form>
  );
}

interface CodeFormProps {
  step: Step;
  busy: boolean;
  error: string;
  onCode: (code: string) => void;
  onBack: () => void;
  /** Uses a passkey in place of the code. */
  passkeyButton: ReactNode;
}

function CodeForm({ step, busy, error, onCode, onBack, passkeyButton }: CodeFormProps) {
  const [code, setCode] = useState('');
  const [isLost, setIsLost] = useState(false);
  const isWhole = isLost ? code.trim() !== '' : code.length === CODE_DIGITS;
  const change = (value: string) => {
    // A pasted code is grouped, as apps show it.
    const typed = isLost ? value : ungroupedCode(value).replaceAll(/\D/g, '').slice(0, CODE_DIGITS);
    setCode(typed);
    if (!isLost && typed.length === CODE_DIGITS) onCode(typed);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isWhole) onCode(code);
  };
  return (
    <form onSubmit={submit}>
      <Stack align="center">
        {step.next === 'enrol' && (
          <>
            <Text size="sm" ta="center">
              Scan this with an authenticator app, then enter the code that it shows.
            </Text>
            <QrCode text={step.uri} label="QR code for the authenticator app" />
            <Caption ta="center">
              Or type this key: <Code style={{ overflowWrap: 'anywhere' }}>{step.secret}</Code>
            </Caption>
          </>
        )}
        {step.next === 'code' && (
          <Text size="sm" ta="center">
            {isLost ? 'Enter one of your recovery codes.' : 'Enter the code of your authenticator app.'}
          </Text>
        )}
        <TextInput
          // Another field, so that it gets the focus of the button that leads to it.
          key={isLost ? 'recovery' : 'app'}
          label={isLost ? 'Recovery code' : 'Code'}
          autoFocus
          w="100%"
          inputMode={isLost ? 'text' : 'numeric'}
          autoComplete={isLost ? 'off' : 'one-time-code'}
          maxLength={TYPED_MAX}
          value={code}
          onChange={(event) => change(event.currentTarget.value)}
        />
        <Failure text={error} />
        <Button type="submit" loading={busy} disabled={!isWhole} fullWidth>
          Log in
        </Button>
        {step.next === 'code' && !isLost && passkeyButton}
        {step.next === 'code' && !isLost && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              setIsLost(true);
              setCode('');
            }}
          >
            Use a recovery code
          </Button>
        )}
        <Button variant="subtle" size="compact-sm" onClick={onBack}>
          Back
        </Button>
      </Stack>
    </form>
  );
}

function Failure({ text }: { text: string }) {
  return text === '' ? null : <ErrorText size="sm">{text}</ErrorText>;
}
