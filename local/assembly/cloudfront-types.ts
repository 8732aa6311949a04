import { globalArn, type NamedResource, type ResourceType } from './resource-type.ts';

function idAttribute(_: NamedResource, ref: string): Record<string, string> {
  return { Id: ref };
}

function edgeType(attributes: ResourceType['attributes'] = idAttribute): ResourceType {
  return { local: 'local/edge', properties: 'by the part', attributes };
}

/** CloudFront: an id is the logical id, so that the edge finds a resource by what others refer to. */
export const cloudFrontTypes: Record<string, ResourceType> = {
  'AWS::CloudFront::Distribution': edgeType((_, ref) => ({
    Id: ref,
    DomainName: `${ref.toLowerCase()}.cloudfront.net`,
  })),
  'AWS::CloudFront::DistributionTenant': edgeType((_, ref) => ({
    Id: ref,
    Arn: globalArn('cloudfront', `distribution-tenant/${ref}`),
  })),
  'AWS::CloudFront::ConnectionGroup': edgeType((_, ref) => ({
    Id: ref,
    Arn: globalArn('cloudfront', `connection-group/${ref}`),
    RoutingEndpoint: `${ref.toLowerCase()}.cloudfront.net`,
  })),
  'AWS::CloudFront::Function': edgeType((_, ref) => ({
    FunctionARN: globalArn('cloudfront', `function/${ref}`),
    'FunctionMetadata.FunctionARN': globalArn('cloudfront', `function/${ref}`),
  })),
  'AWS::CloudFront::CachePolicy': edgeType(),
  'AWS::CloudFront::OriginRequestPolicy': edgeType(),
  'AWS::CloudFront::ResponseHeadersPolicy': edgeType(),
  'AWS::CloudFront::OriginAccessControl': edgeType(),
  'AWS::CloudFront::PublicKey': edgeType(),
  'AWS::CloudFront::KeyGroup': edgeType(),
};
