import type { DomainTrouble } from '../../core/domains/domain-trouble.ts';
import { logger } from '../shared/logger.ts';
import { setting } from '../shared/settings.ts';

/**
 * Logs a problem of a domain for the operator. CloudWatch makes a metric of the line (embedded
 * metric format, version 1). The alarm in `lib/operations` reads it. While no domain is in trouble
 * there is no line, no metric and no cost.
 */
export function reportDomainTrouble(trouble: DomainTrouble): void {
  warn('a domain is in trouble', { ...trouble });
}

/** Logs in the same way that most of a year's certificate requests are used. */
export function reportCertificates(used: number): void {
  warn('most certificates of the year are used', { used });
}

/** Two functions write these lines, so the dimension is not a function but the table of domains. */
function warn(text: string, fields: Readonly<Record<string, unknown>>): void {
  logger.warn(text, {
    ...fields,
    table: setting('PROJECTS_TABLE'),
    DomainTroubles: 1,
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [
        {
          Namespace: 'Slipway',
          Dimensions: [['table']],
          Metrics: [{ Name: 'DomainTroubles', Unit: 'Count' }],
        },
      ],
    },
  });
}
