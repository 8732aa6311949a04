import type { DomainTrouble } from '../../core/domains/domain-trouble.ts';
import { logger } from '../shared/logger.ts';

/**
 * Logs what the operator has to know of a domain. CloudWatch makes a metric of the line (embedded metric
 * format, version 1); the logger adds `function_name`, its dimension. The alarm in `lib/operations`
 * reads it. While no domain is in trouble there is no line, no metric and no cost.
 */
export function reportDomainTrouble(trouble: DomainTrouble): void {
  logger.warn('a domain is in trouble', {
    ...trouble,
    DomainTroubles: 1,
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [
        {
          Namespace: 'Slipway',
          Dimensions: [['function_name']],
          Metrics: [{ Name: 'DomainTroubles', Unit: 'Count' }],
        },
      ],
    },
  });
}
