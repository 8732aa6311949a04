import { expect, jest, test } from '@jest/globals';
import { logger } from '../../../../lambdas/shared/logger.ts';
import {
  reportCertificates,
  reportDomainTrouble,
} from '../../../../lambdas/domains/report-domain-trouble.ts';
import { domainId } from '../../../fixtures/domains/a-domain.ts';

test.each([
  [
    'a domain in trouble',
    'a domain is in trouble',
    () =>
      reportDomainTrouble({ kind: 'stuck', domainId, domain: 'customer.com', at: '2026-03-01' }),
    { kind: 'stuck', domainId, domain: 'customer.com' },
  ],
  [
    'the end of the year’s certificates',
    'most certificates of the year are used',
    () => reportCertificates(3200),
    { used: 3200 },
  ],
])('%s is one line of the log, of which CloudWatch makes a metric', (_, text, report, fields) => {
  process.env['PROJECTS_TABLE'] = 'projects';
  const warn = jest.spyOn(logger, 'warn').mockImplementation(() => undefined);
  report();
  const [[written, line]] = warn.mock.calls as any;
  warn.mockRestore();
  expect(written).toBe(text);
  expect(line).toMatchObject(fields);
  const [directive] = line._aws.CloudWatchMetrics;
  // Embedded metric format: dimensions and values are fields of the line.
  expect(directive).toMatchObject({ Namespace: 'Slipway', Dimensions: [['table']] });
  expect(line.table).toBe('projects');
  for (const { Name } of directive.Metrics) expect(line[Name]).toBe(1);
});
