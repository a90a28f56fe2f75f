import { Avatar } from '@mantine/core';

interface AppIconProps {
  app: { name: string; icon_link: string | null };
  /** Pixels. */
  size: number;
}

/** The icon of an app; its initials without one. */
export function AppIcon({ app, size }: AppIconProps) {
  return <Avatar src={app.icon_link} name={app.name} color="initials" radius="md" size={size} alt="" />;
}
