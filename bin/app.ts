/**
 * What `npx cdk deploy` starts. It refuses: without a settings file, a deployment would remove what an
 * earlier one with other settings created.
 */
console.error(`Name a stage: npm run deploy -- --stage prod (or diff, destroy, synth). Its settings are in stages/prod.json.
If you deployed with -c slipway.… or with cdk.json, docs/deploy.md ("From -c to a stage file") says how to move the settings.`);
process.exitCode = 1;
