/** Every deployed function: its source is `lambdas/<name>.ts`, its bundle `<bundles>/<name>/index.mjs`. */
export const functionNames = [
  'system',
  'temp-projects',
  'accounts',
  'projects',
  'versions',
  'workspaces',
  'export',
  'analytics',
  'claim-pages',
  'oauth',
  'mcp',
  'mcp-authorizer',
  'uploads',
  'upload-links',
  'upload-worker',
  'visitor-forms',
  'gate',
  'viewer-assets',
  'hit-counter',
  'zip',
  'maintenance',
  'media-key',
] as const;

export type FunctionName = (typeof functionNames)[number];
