import { Box, Center, Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { loadToasts } from '../../lib/toast.ts';
import { BrandLinks } from '../../ui/layout/brand-links.tsx';
import { BrandLogo } from '../../ui/layout/brand-logo.tsx';
import { Muted } from '../../ui/layout/text.tsx';

/** Page layout of the login and registration forms. */
export function AccountFrame({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children: ReactNode;
}) {
  return (
    <Center component="main" mih="100vh" p="md">
      <Box w="100%" maw={420}>
        <Stack align="center" gap={8} mb="lg">
          <BrandLogo height={40} maxWidth={280} isNamed />
          <Title order={1} size="h2">
            {title}
          </Title>
          <Muted ta="center">{text}</Muted>
        </Stack>
        {/* Preloads the toast library while typing, since a rejected form shows a toast. */}
        <Paper withBorder p="lg" radius="lg" onChange={() => void loadToasts().catch(() => {})}>
          {children}
        </Paper>
        <BrandLinks justify="center" mt="md" />
      </Box>
    </Center>
  );
}
