import {
  type AwsEnvironment,
  awsEnvironmentSchema,
  type EnvironmentName,
  environmentSchemas,
} from '../../contract/environment.ts';

/** One variable of this function's environment, parsed; a missing or malformed one throws by name. */
export function setting(name: EnvironmentName): string {
  const parsed = environmentSchemas[name]().safeParse(process.env[name]);
  if (!parsed.success) throw new Error(`environment variable ${name}: ${parsed.error.message}`);
  return parsed.data;
}

/** Whether this function has a variable at all. */
export function hasSetting(name: EnvironmentName): boolean {
  return process.env[name] !== undefined;
}

/** Whether this is the local cloud, whose addresses have http. */
export function isLocal(): boolean {
  return setting('BASE_URL').startsWith('http:');
}

/** Region, credentials and endpoints, for calls without the SDK. */
export function awsEnvironment(): AwsEnvironment {
  return awsEnvironmentSchema.parse(process.env);
}
