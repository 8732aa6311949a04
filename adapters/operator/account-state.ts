import * as z from 'zod';
import type { OperatorReach } from './operator-client.ts';
import { signedReads } from './signed-reads.ts';

/** Facts about an AWS account that a deployment depends on. Only reads. */
export interface AccountState {
  /** The account and the role or user of these credentials. */
  identity(): Promise<{ account: string; arn: string }>;
  /** The version of the CDK's bootstrap stack in us-east-1; undefined if there is none. */
  bootstrapVersion(): Promise<number | undefined>;
  /** How many function calls may run at the same time, in the whole account. */
  concurrency(): Promise<{ quota: number; unreserved: number }>;
}

/** Written by `cdk bootstrap`; the CDK reads it before each deployment. */
const bootstrap = '/cdk-bootstrap/hnb659fds/version';

const Parameter = z.object({ Parameter: z.object({ Value: z.string() }) });
const Settings = z.object({
  AccountLimit: z.object({
    ConcurrentExecutions: z.number(),
    UnreservedConcurrentExecutions: z.number(),
  }),
});

export function accountState(reach: OperatorReach): AccountState {
  const read = signedReads(reach);
  return {
    async identity() {
      const xml = await read('sts', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'Action=GetCallerIdentity&Version=2011-06-15',
      });
      return { account: elementOf(xml, 'Account'), arn: elementOf(xml, 'Arn') };
    },
    async bootstrapVersion() {
      try {
        const answer = await read('ssm', jsonCall('AmazonSSM.GetParameter', { Name: bootstrap }));
        return Number(Parameter.parse(JSON.parse(answer)).Parameter.Value);
      } catch (error) {
        if (isNamed(error, 'ParameterNotFound')) return undefined;
        throw error;
      }
    },
    async concurrency() {
      const answer = await read('lambda', { method: 'GET', path: '/2016-08-19/account-settings/' });
      const { AccountLimit: limit } = Settings.parse(JSON.parse(answer));
      return {
        quota: limit.ConcurrentExecutions,
        unreserved: limit.UnreservedConcurrentExecutions,
      };
    },
  };
}

function elementOf(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
}

/** A call of a service that speaks AWS JSON 1.1. */
export function jsonCall(target: string, body: unknown) {
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target };
  return { headers, body: JSON.stringify(body) };
}

/** Whether AWS answered with this error. */
export function isNamed(error: unknown, name: string): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === name;
}
