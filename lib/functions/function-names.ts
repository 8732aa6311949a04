/** Every deployed function with the folder of its source, `lambdas/<folder>/<name>.ts`. Its bundle is `<bundles>/<name>/index.mjs`. */
export const functionFolders = {
  system: 'system',
  'temp-projects': 'projects',
  accounts: 'accounts',
  projects: 'projects',
  versions: 'projects',
  workspaces: 'projects',
  domains: 'domains',
  operators: 'operators',
  export: 'accounts',
  'share-links': 'projects',
  analytics: 'projects',
  webhooks: 'webhooks',
  'claim-pages': 'claims',
  oauth: 'oauth',
  mcp: 'mcp',
  'mcp-authorizer': 'mcp',
  uploads: 'uploads',
  'upload-links': 'uploads',
  'upload-worker': 'uploads',
  'visitor-forms': 'visitor-forms',
  gate: 'visits',
  'viewer-assets': 'viewer-assets',
  'hit-counter': 'workers',
  streams: 'visits',
  maintenance: 'workers',
  'webhook-sender': 'workers',
  'api-keys': 'workers',
  'web-app': 'web-app',
} as const;

export type FunctionName = keyof typeof functionFolders;

export const functionNames: readonly FunctionName[] =
  Object.keys(functionFolders).filter(isFunctionName);

function isFunctionName(name: string): name is FunctionName {
  return name in functionFolders;
}

/** Path of the file with a function's handler, relative to the repository. */
export function functionSource(name: FunctionName): string {
  return `lambdas/${functionFolders[name]}/${name}.ts`;
}
