import * as z from 'zod';
import { ACCOUNT } from '../assembly/resource-type.ts';
import { arnOf, physicalId } from '../assembly/resource-types.ts';
import {
  describeResource,
  parseProperties,
  type Resource,
  resourcesOfType,
} from '../assembly/resource.ts';
import { StartError } from '../errors.ts';
import { isAllowed, parsePolicy, type Statement } from './policy.ts';

const Alarm = z.object({ AlarmActions: z.array(z.string()).default([]) });
const TopicPolicy = z.object({ PolicyDocument: z.unknown(), Topics: z.array(z.string()) });

/** Statements by the topic's ARN. A policy of the template replaces the topic's default policy. */
function statementsByTopic(resources: readonly Resource[]): Map<string, Statement[]> {
  return new Map(
    resourcesOfType(resources, 'AWS::SNS::TopicPolicy').flatMap((policy) => {
      const { PolicyDocument, Topics } = parseProperties(policy, TopicPolicy);
      const statements = parsePolicy(PolicyDocument, describeResource(policy));
      return Topics.map((topic) => [topic, statements] as const);
    }),
  );
}

/**
 * Stops the start if an alarm may not publish to its topic: CloudWatch would drop the notification
 * and tell nobody. A topic without a policy has the default one, which lets its own account publish.
 */
export function checkAlarmTopics(resources: readonly Resource[]): void {
  const policies = statementsByTopic(resources);
  const topics = new Set(resourcesOfType(resources, 'AWS::SNS::Topic').map(physicalId));
  for (const alarm of resourcesOfType(resources, 'AWS::CloudWatch::Alarm')) {
    for (const topic of parseProperties(alarm, Alarm).AlarmActions) {
      const statements = policies.get(topic);
      if (!topics.has(topic) || statements === undefined) continue;
      const mayPublish = isAllowed(statements, {
        principal: { kind: 'Service', id: 'cloudwatch.amazonaws.com' },
        action: 'sns:Publish',
        resource: topic,
        context: {
          'aws:securetransport': 'true',
          'aws:sourceaccount': ACCOUNT,
          'aws:sourcearn': arnOf(alarm),
        },
      });
      if (mayPublish) continue;
      throw new StartError(
        `${describeResource(alarm)}: the policy of ${topic} does not let cloudwatch.amazonaws.com publish.`,
      );
    }
  }
}
