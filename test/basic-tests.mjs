/**
 * The tests on a local cloud that `npm test` runs: some of each folder of `test/e2e`, and the agents' tasks. All others in
 * `test/e2e`, and those in `test/integration`, are in `npm run test:long`.
 */
export const basicTests = [
  'agents/tasks',
  'e2e/accounts/connections',
  'e2e/accounts/keys',
  'e2e/accounts/operators',
  'e2e/accounts/sign-in',
  'e2e/mcp/mcp-agent-flow',
  'e2e/oauth/oauth-endpoints',
  'e2e/projects/claims',
  'e2e/projects/deleted',
  'e2e/projects/files',
  'e2e/projects/temp-publish',
  'e2e/system/command-table',
  'e2e/system/discovery',
  'e2e/system/documentation',
  'e2e/system/system',
  'e2e/uploads/link-bodies',
  'e2e/uploads/publish-action',
  'e2e/visits/analytics',
  'e2e/visits/encoded-paths',
  'e2e/visits/kinds-of-site',
  'e2e/visits/static-hosting',
  'e2e/visits/unpublished',
  'e2e/visits/viewers',
  'e2e/visits/visit',
  'e2e/visits/zip',
].map((name) => `<rootDir>/test/${name}.test.ts`);
