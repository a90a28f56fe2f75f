import { Center, Loader } from '@mantine/core';

/** Three dots while a page loads. */
export function PageLoader() {
  return (
    <Center mih="50vh" role="status" aria-label="Loading">
      <Loader type="dots" />
    </Center>
  );
}
