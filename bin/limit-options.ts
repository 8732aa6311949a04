import { AWS_PARTITION_LIMITS, type PartitionLimits } from '../local/dynamodb/partition-limits.ts';
import { StartError } from '../local/errors.ts';
import { TEN_YEARS_SECONDS } from '../local/operator/control.ts';

/** Lambda's quota "Concurrent executions" of a new account. */
const NEW_ACCOUNT_CONCURRENCY = 10;

/** `--account-quota`: how many requests all functions may run at once. */
export function accountConcurrencyOf(quota: string): number | undefined {
  if (quota === 'unlimited') return undefined;
  if (quota === 'new') return NEW_ACCOUNT_CONCURRENCY;
  throw new StartError(`${quota} is not a quota. Use --account-quota new, or leave it out.`);
}

/** `--partition-limits`: what a partition key of a table may use in a second. */
export function partitionLimitsOf(limits: string): PartitionLimits | undefined {
  if (limits === 'none') return undefined;
  if (limits === 'aws') return AWS_PARTITION_LIMITS;
  const [, writes, reads] = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(limits) ?? [];
  if (writes !== undefined && reads !== undefined)
    return { writes: Number(writes), reads: Number(reads) };
  throw new StartError(
    `--partition-limits ${limits} is not known. Use aws, or write and read units like 5/10.`,
  );
}

/** `--mail`: whether SES is in its sandbox. */
export function isMailSandbox(mail: string): boolean {
  if (mail === 'everybody' || mail === 'sandbox') return mail === 'sandbox';
  throw new StartError(`${mail} is not a choice. Use --mail sandbox, or leave it out.`);
}

/** `--clock-ahead`: seconds, at most as many as `/_local/` moves the clock at once. */
export function clockAheadOf(seconds: string): number {
  if (/^\d{1,9}$/.test(seconds) && Number(seconds) <= TEN_YEARS_SECONDS) return Number(seconds);
  throw new StartError(
    `${seconds} is not a number of seconds up to ten years. Use --clock-ahead 86400 for a day.`,
  );
}

/** Seconds that ACM and CloudFront take for a custom domain; undefined for the default. */
export function domainDelayOf(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  if (/^\d{1,5}$/.test(seconds)) return Number(seconds);
  throw new StartError(
    `${seconds} is not a number of seconds. Use --domain-delay 0, or another one.`,
  );
}
