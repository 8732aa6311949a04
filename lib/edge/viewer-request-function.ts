import { fileURLToPath } from 'node:url';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';

/** A CloudFront function that sees every request before the cache; `file` lies beside this one. */
export function viewerRequestFunction(
  scope: Construct,
  file: 'viewer-request.js' | 'app-viewer-request.js',
): cloudfront.Function {
  return new cloudfront.Function(scope, 'ViewerRequest', {
    runtime: cloudfront.FunctionRuntime.JS_2_0,
    code: cloudfront.FunctionCode.fromFile({
      filePath: fileURLToPath(new URL(file, import.meta.url)),
    }),
    comment: `Slipway: ${file}`,
  });
}
