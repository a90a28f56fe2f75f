import { Alert, Group, Modal, Text } from '@mantine/core';
import { type ComponentType, createElement, use, useEffect, useEffectEvent, useState } from 'react';
import { type CodeFailure, codeFailureText, loadCode, reloadForRelease } from '../../lib/load-code.ts';
import { SmallButton } from './buttons.tsx';

interface LazyPartOptions {
  /**
   * The role of the part in the screen: a dialog with `onClose`, in which its failure is shown too, or a hint that may be
   * missing.
   */
  as?: 'dialog' | 'hint';
}

/**
 * A part of a screen whose code is loaded when it is first shown; wrap it in Suspense. If the code cannot be loaded, a
 * notice with "Try again" takes its place, and the rest of the screen stays as it is.
 */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  { as }: LazyPartOptions = {},
): Module[Name] {
  let loading: ReturnType<typeof loadCode<Module>> | undefined;
  function LazyPart(props: { opened?: boolean; onClose?: () => void }) {
    const [, setTries] = useState(0);
    const { code, failure } = use((loading ??= loadCode(load)));
    const retry = () => {
      loading = undefined;
      setTries((tries) => tries + 1);
    };
    const retryOnline = useEffectEvent(retry);
    useEffect(() => {
      if (failure === 'outdated') reloadForRelease();
      if (failure !== 'offline') return undefined;
      const again = () => retryOnline();
      window.addEventListener('online', again);
      return () => window.removeEventListener('online', again);
    }, [failure]);
    if (!failure) return createElement(code[name] as ComponentType<typeof props>, props);
    if (as === 'hint') return null;
    const notice = <MissingPart failure={failure} onRetry={retry} />;
    if (as !== 'dialog') return notice;
    const { opened = true, onClose = () => {} } = props;
    return (
      <Modal opened={opened} onClose={onClose}>
        {notice}
      </Modal>
    );
  }
  return LazyPart as Module[Name];
}

function MissingPart({ failure, onRetry }: { failure: CodeFailure; onRetry: () => void }) {
  return (
    <Alert role="alert" variant="light" color="red" py={8} className="no-print">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{codeFailureText(failure)}</Text>
        {failure === 'outdated' ? (
          <SmallButton onClick={() => location.reload()}>Reload</SmallButton>
        ) : (
          <SmallButton onClick={onRetry}>Try again</SmallButton>
        )}
      </Group>
    </Alert>
  );
}
