import type { ExchangeTest, ExchangeTestInput } from '@bidwell/contract/operator/exchange-test';
import { NotFound } from '../../../platform/errors.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';

/** Says how bidders would respond to a sample bid request; null if there is no such exchange. */
export type TestRequest = (slug: string, input: ExchangeTestInput) => Promise<ExchangeTest | null>;

/** Says how bidders would respond to a sample bid request of an exchange. Throws NotFound. */
export async function testExchange(
  { testRequest }: { testRequest: TestRequest },
  operator: Operator,
  { slug, ...input }: ExchangeTestInput & { slug: string },
): Promise<ExchangeTest> {
  requireOperatorPermission(operator, 'exchange.read');
  const result = await testRequest(slug, input);
  if (!result) throw new NotFound('Exchange');
  return result;
}
