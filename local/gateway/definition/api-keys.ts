import { resourcesOfType, parseProperties, type Resource } from '../../assembly/resource.ts';
import {
  ApiKeyProperties,
  UsagePlanKeyProperties,
  UsagePlanProperties,
} from './resource-schemas.ts';

/** The values of the API keys that a usage plan allows for a stage. */
export function allowedApiKeys(
  resources: readonly Resource[],
  stage: { RestApiId: string; StageName: string },
): ReadonlySet<string> {
  const plans = resourcesOfType(resources, 'AWS::ApiGateway::UsagePlan').filter((resource) =>
    parseProperties(resource, UsagePlanProperties).ApiStages.some(
      ({ ApiId, Stage }) => ApiId === stage.RestApiId && Stage === stage.StageName,
    ),
  );
  const planIds = new Set(plans.map(({ logicalId }) => logicalId));
  const keyIds = new Set(
    resourcesOfType(resources, 'AWS::ApiGateway::UsagePlanKey')
      .map((resource) => parseProperties(resource, UsagePlanKeyProperties))
      .filter(({ UsagePlanId }) => planIds.has(UsagePlanId))
      .map(({ KeyId }) => KeyId),
  );
  return new Set(
    resourcesOfType(resources, 'AWS::ApiGateway::ApiKey')
      .map((resource) => ({
        id: resource.logicalId,
        ...parseProperties(resource, ApiKeyProperties),
      }))
      .filter(({ id, Enabled }) => Enabled && keyIds.has(id))
      .map(({ Value }) => Value),
  );
}
