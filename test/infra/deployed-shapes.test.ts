import { expect, test } from '@jest/globals';
import { checkTemplate } from '../../lib/check/check-template.ts';
import { readExamples } from '../../lib/stages/stage-file.ts';
import { ofType, synthesizeNow } from './synthesize.ts';

const examples = readExamples();

test('the examples are the three shapes that are deployed', () => {
  expect(examples.map(({ name }) => name).toSorted()).toEqual([
    'exampleeverything',
    'exampleminimal',
    'examplezones',
  ]);
});

test.each(examples)('$name is synthesized strictly', async ({ name, settings }) => {
  // The CDK's own rules take long; `npm run synth` applies them to all three.
  const { data, service, warnings } = await synthesizeNow(settings, { stage: name });
  expect(warnings).toEqual([]);
  expect([data, service].flatMap(checkTemplate)).toEqual([]);
  expect(ofType(service, 'AWS::CloudFront::DistributionTenant')).toHaveLength(1);
});
