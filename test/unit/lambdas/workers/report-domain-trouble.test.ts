import { expect, jest, test } from '@jest/globals';
import { logger } from '../../../../lambdas/shared/logger.ts';
import { reportDomainTrouble } from '../../../../lambdas/workers/report-domain-trouble.ts';
import { domainId } from '../../../fixtures/domains/a-domain.ts';

test('a domain in trouble is one line of the log, of which CloudWatch makes a metric', () => {
  const warn = jest.spyOn(logger, 'warn').mockImplementation(() => undefined);
  reportDomainTrouble({ kind: 'stuck', domainId, domain: 'customer.com', at: '2026-03-01' });
  const [[text, line]] = warn.mock.calls as any;
  warn.mockRestore();
  expect(text).toBe('a domain is in trouble');
  expect(line).toMatchObject({ kind: 'stuck', domainId, domain: 'customer.com' });
  const [directive] = line._aws.CloudWatchMetrics;
  expect(directive).toMatchObject({ Namespace: 'Slipway', Dimensions: [['function_name']] });
  // Embedded metric format: the value is a field of the line with the metric's name.
  for (const { Name } of directive.Metrics) expect(line[Name]).toBe(1);
});
