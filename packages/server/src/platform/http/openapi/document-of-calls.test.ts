import { keyEndpoints } from '@bidwell/contract/lib/key-calls';
import { testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';
import { documentOfCalls } from './document.ts';
import type { ApiDocument, Operation } from './page.ts';

const { http } = await testApp();

test('the document of the calls that keys may make describes them as that of the server does', async () => {
  const whole = (await http.inject({ url: '/api/openapi.json' })).json<ApiDocument>();
  const document = await documentOfCalls(keyEndpoints().map(({ endpoint }) => endpoint));
  const { paths, components } = JSON.parse(JSON.stringify(document)) as ApiDocument;
  const isOfKeys = ({ security = [] }: Operation) => security.some((each) => Object.hasOwn(each, 'apiToken'));
  const ofKeys = Object.entries(whole.paths!).flatMap(([path, item]) => {
    const calls = Object.entries(item).filter(([, call]) => isOfKeys(call));
    return calls.length === 0 ? [] : [[path, Object.fromEntries(calls)]];
  });
  expect(paths).toEqual(Object.fromEntries(ofKeys));
  expect(whole.components!.schemas).toMatchObject(components!.schemas!);
});
