import { expect, test } from '@jest/globals';
import { type Assembly, fullSettings, type Json, synthesizeNow } from './synthesize.ts';

/** The properties that give a resource a name of its own, which AWS wants unique in an account. */
const nameKeys = /^(?:Name|(?:Function|Table|Bucket|Queue|Topic|Role|LogGroup|Alarm|Rule)Name)$/;
/** Names that need not be unique (APIs), or are unique inside of their resource only. */
const free = /^AWS::(?:ApiGateway|Route53)::/;

function namesIn({ data, service }: Assembly): string[] {
  return [data, service].flatMap(({ Resources, Outputs }) => [
    ...Object.values(Resources)
      .filter(({ Type }) => !free.test(Type))
      .flatMap(({ Type, Properties }) => physicalNames(Properties).map((n) => `${Type} ${n}`)),
    ...Object.values<Json>(Outputs).flatMap(({ Export }) => Export?.Name ?? []),
  ]);
}

/** Names at the top, and one level below, where CloudFront has them: `CachePolicyConfig.Name`. */
function physicalNames(properties: Record<string, Json>, depth = 0): string[] {
  return Object.entries(properties).flatMap(([key, value]) => {
    // A reference names a resource of the same stack.
    if (nameKeys.test(key)) return isReference(value) ? [] : [JSON.stringify(value)];
    const isConfig = depth === 0 && key.endsWith('Config') && typeof value === 'object';
    return isConfig ? physicalNames(value, depth + 1) : [];
  });
}

function isReference(value: Json): boolean {
  return typeof value === 'object' && ('Ref' in value || 'Fn::GetAtt' in value);
}

test('two stages of one account share no name: neither of a resource nor of an export', async () => {
  const one = namesIn(await synthesizeNow(fullSettings, { stage: 'one' }));
  const two = namesIn(await synthesizeNow(fullSettings, { stage: 'two' }));
  const unnamed = namesIn(await synthesizeNow(fullSettings));
  expect(one.length).toBeGreaterThan(10);
  expect(one.filter((name) => two.includes(name))).toEqual([]);
  expect(one.filter((name) => unnamed.includes(name))).toEqual([]);
});
