import { routingEndpoint } from '../edge/host-routing.ts';
import { globalArn, type NamedResource, type ResourceType } from './resource-type.ts';

function idAttribute(_: NamedResource, ref: string): Record<string, string> {
  return { Id: ref };
}

function cloudFrontType(attributes: ResourceType['attributes'] = idAttribute): ResourceType {
  return { handledBy: 'local/edge', properties: 'by the module', attributes };
}

/** CloudFront: ids are logical ids, so that the edge finds a resource by what other resources refer to. */
export const cloudFrontTypes: Record<string, ResourceType> = {
  'AWS::CloudFront::Distribution': cloudFrontType((_, ref) => ({
    Id: ref,
    DomainName: `${ref.toLowerCase()}.cloudfront.net`,
  })),
  'AWS::CloudFront::DistributionTenant': cloudFrontType((_, ref) => ({
    Id: ref,
    Arn: globalArn('cloudfront', `distribution-tenant/${ref}`),
  })),
  'AWS::CloudFront::ConnectionGroup': cloudFrontType((_, ref) => ({
    Id: ref,
    Arn: globalArn('cloudfront', `connection-group/${ref}`),
    RoutingEndpoint: routingEndpoint(ref),
  })),
  'AWS::CloudFront::Function': cloudFrontType((_, ref) => ({
    FunctionARN: globalArn('cloudfront', `function/${ref}`),
  })),
  'AWS::CloudFront::CachePolicy': cloudFrontType(),
  'AWS::CloudFront::OriginRequestPolicy': cloudFrontType(),
  'AWS::CloudFront::ResponseHeadersPolicy': cloudFrontType(),
  'AWS::CloudFront::OriginAccessControl': cloudFrontType(),
};

function apiGatewayType(more: Partial<ResourceType> = {}): ResourceType {
  return { handledBy: 'local/gateway', properties: 'by the module', ...more };
}

export const apiGatewayTypes: Record<string, ResourceType> = {
  'AWS::ApiGateway::RestApi': apiGatewayType({
    ref: (resource) => resource.logicalId.toLowerCase(),
  }),
  'AWS::ApiGateway::Deployment': apiGatewayType(),
  'AWS::ApiGateway::Stage': apiGatewayType({
    ref: (resource) => String(resource.property('StageName')),
  }),
  'AWS::ApiGateway::ApiKey': apiGatewayType(),
  'AWS::ApiGateway::UsagePlan': apiGatewayType(),
  'AWS::ApiGateway::UsagePlanKey': apiGatewayType(),
};
